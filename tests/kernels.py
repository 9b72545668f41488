#!/usr/bin/env python3
"""The text of the kernels on what devices there are to simulate or to compile for, without one being there.

    tests/kernels.py [--tessera build/tessera] [--seed N] [NAME…]

Oclgrind runs them and sees each access: no race, nothing out of bounds, nothing read before it was written. Compilers for
NVIDIA's processors say what they take there. What needs a tool that is not there is skipped. For the release build, with
its tests in C. The last line is `N passed, N failed`.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from harness import LONG, ROOT, Skipped, check, main

# Without optimizing: what LLVM makes of it then has instructions that Oclgrind does not know.
OCLGRIND = ("--data-races", "--uniform-writes", "--uninitialized", "--max-errors", "1000", "--build-options", "-cl-opt-disable")
JOBS = 306            # simulated: all functions and variants on three images
JOBS_WITH_HOST = 408  # four images, of which two are of 32 by 32
GROUPS = 5            # fewer than jobs
LIBCLC = Path("/usr/lib/clc/nvptx64--nvidiacl.bc")  # as Debian has it
ARCHITECTURES = ("sm_75", "sm_80", "sm_89")
SHARED_MEMORY = 4096  # bytes, at most


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Skipped(f"{tool} is not there")


class Tests:
    def __init__(self, options, folder):
        self.folder, self.seed, self.build = folder, options.seed, options.tessera.parent
        self.program, self.text = self.build / "obj/tests/device", self.build / "obj/kernels.cl"

    # ---- Tools ----

    def run(self, *command, **more):
        """Runs a command that has to go well; gives what it prints and says."""
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=LONG, cwd=ROOT, **more)
        check(done.returncode == 0, f"{' '.join(map(str, command))}: exit code {done.returncode}, {done.stdout[-2000:]}")
        return done.stdout

    def simulation(self, groups, lanes, text=None):
        """A wave as oclgrind-kernel takes it, for the text of the kernels or another."""
        return self.run(self.program, "simulate", "--lanes", lanes, text or self.text, groups, self.seed)

    def simulate(self, simulation):
        """What Oclgrind finds."""
        need("oclgrind-kernel")
        path, found = self.folder / "wave.sim", self.folder / "found"
        path.write_text(simulation)
        found.unlink(missing_ok=True)
        self.run("oclgrind-kernel", *OCLGRIND, "--log", found, path)
        return found.read_text() if found.exists() else ""

    def two_jobs(self, **more):
        """The first jobs of a wave only, for what has to be found at once."""
        simulation, changes = re.subn(r"(?m)^(<size=4 uint>\n)\d+", r"\g<1>2", self.simulation(2, 1, **more))
        check(changes == 1, "the simulation has no number of jobs")
        return simulation

    # ---- Under Oclgrind ----

    def test_simulated(self):
        """Buffers as long as they have to be, and workers that go on with the next job."""
        found = self.simulate(self.simulation(GROUPS, JOBS))
        check(not found, found[:2000])

    def test_simulated_collecting(self):
        """All cells of a lane, one, none, and some; the groups go on with the next."""
        pieces = ((0, 1024, 0), (3, 1, 1024), (2, 0, 1025), (1, 37, 1025))
        words = " ".join(str(number) for piece in pieces for number in piece)
        for groups in (4, 3):
            found = self.simulate(f"{self.text}\ncollect\n{groups * 32} 1 1\n32 1 1\n\n<size=4096 uchar fill=7>\n\n"
                                  f"<size=48 uint>\n{words}\n\n<size=4 uint>\n4\n\n<size=1062 uchar noinit>\n")
            check(not found, found[:2000])

    def test_with_host(self):
        """The backend itself, on the device that Oclgrind is: results as on the processor, and all calls as they should be."""
        need("oclgrind")
        found = self.folder / "found-with-host"
        environment = os.environ | {"TESSERA_OPENCL": "liboclgrind-rt.so", "XDG_CACHE_HOME": str(self.folder / "cache")}
        said = self.run("oclgrind", *OCLGRIND, "--check-api", "--log", found, self.program, "test", "--backend", "opencl",
                        "--lanes", JOBS_WITH_HOST, self.seed, env=environment)
        check("Oclgrind" in said and f"{JOBS_WITH_HOST} lanes compared" in said, said[-2000:])
        found = found.read_text() if found.exists() else ""
        check(not found, found[:2000])

    def test_faults_are_found(self):
        """Kernels without their barrier, buffers that are too short or have nothing in them: Oclgrind says so."""
        hasty = self.folder / "hasty.cl"
        text, changes = re.subn(r"\bbarrier\(CLK_LOCAL_MEM_FENCE\)", "(void)0", self.text.read_text())
        check(changes == 1, f"the kernels have {changes} barriers")
        hasty.write_text(text)
        check("data race" in self.simulate(self.two_jobs(text=hasty)), "no race without a barrier")
        simulation = self.two_jobs()
        check(self.simulate(simulation) == "", "something is found in what is right")
        short, changes = re.subn(r"(?m)^<size=\d+ uint noinit>", "<size=36 uint noinit>", simulation, count=1)
        check(changes == 1 and "Invalid write" in self.simulate(short), "results may lie behind their buffer")
        images, planes = re.findall(r"(?m)^<size=\d+ uint hex>\n[^<]*", simulation)[:2]
        empty = simulation.replace(planes, planes.split("\n")[0].replace("hex", "noinit") + "\n\n")
        check("Uninitialized" in self.simulate(empty), "rows may be read that nobody has written")

    # ---- What is said of them ----

    def test_table_of_docs(self):
        table = self.run(self.program, "support")
        check(table.strip() in (ROOT / "docs/DEVICES.md").read_text(), "docs/DEVICES.md has not what `device support` prints")

    # ---- For NVIDIA's processors ----

    def check_size(self, said, most_registers):
        """What ptxas says of a kernel."""
        kernels = re.findall(r"(?s)Compiling entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads"
                             r".*?Used (\d+) registers(?:[^\n]*?(\d+) bytes smem)?", said)
        check(sorted(name for name, *_ in kernels) == ["collect", "run_lanes"], said[-2000:])
        for name, stores, loads, registers, shared in kernels:
            words = f"{name}: {registers} registers, {stores} + {loads} bytes spilled, {shared or 0} bytes of shared memory"
            print(words)
            check(int(stores) + int(loads) == 0 and int(registers) <= most_registers and int(shared or 0) <= SHARED_MEMORY, words)

    def test_cuda(self):
        need("gcc", "nvcc")
        text = self.folder / "kernels.cu"
        text.write_text(self.run("gcc", "-E", "-P", "-undef", "-nostdinc", "-xc", "-DKERNEL_CUDA", "-Isrc",
                                 "src/device/kernels.h"))
        for architecture in ARCHITECTURES:
            print(f"CUDA, {architecture}")
            self.check_size(self.run("nvcc", f"-arch={architecture}", "-cubin", "-Xptxas", "-v", "-o", self.folder / "cubin",
                                     text), 64)

    def make_ptx(self):
        """The text for OpenCL as assembly, about as NVIDIA's driver makes it."""
        need("clang")
        if not LIBCLC.exists():
            raise Skipped("libclc is not there")
        path = self.folder / "kernels.ptx"
        self.run("clang", "-x", "cl", "-cl-std=CL1.2", "-target", "nvptx64-nvidia-nvcl", "-Xclang", "-finclude-default-header",
                 "-Xclang", "-target-cpu", "-Xclang", "sm_75", "-Xclang", "-mlink-builtin-bitcode", "-Xclang", LIBCLC, "-O3",
                 "-S", "-o", path, self.text)
        return path

    def test_opencl_for_nvidia(self):
        text = self.make_ptx().read_text()
        check(".entry run_lanes" in text and ".entry collect" in text, "no kernels")
        check(not re.search(r"(?m)^\.extern \.func", text), "it calls what is not there")

    def test_opencl_for_nvidia_size(self):
        """clang keeps more in registers than NVIDIA's compiler: 80 of them leave room for 25 groups at once."""
        need("ptxas")
        path = self.make_ptx()
        for architecture in ARCHITECTURES:
            print(f"OpenCL, {architecture}")
            self.check_size(self.run("ptxas", "-v", f"-arch={architecture}", "-o", self.folder / "cubin", path), 80)

    # ---- The library ----

    def test_nothing_linked(self):
        """OpenCL is looked for when it is needed: a machine without it runs the same files."""
        for name in ("tessera", "libtessera.so"):
            needed = self.run("ldd", self.build / name)
            check("libc.so" in needed and not re.search("(?i)opencl|cuda|nvidia|pocl", needed), needed)
            missing = self.run("nm", "-D", "--undefined-only", self.build / name)
            check(not re.search(r"\bcl[A-Z]", missing), f"{name} is linked with OpenCL: {missing}")


if __name__ == "__main__":
    main(Tests, __doc__)
