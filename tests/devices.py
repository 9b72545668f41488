#!/usr/bin/env python3
"""Devices: found, not found, broken, failing at any call; the search goes on and its submission has the same bytes.

    tests/devices.py [--tessera build/tessera] [--kills 20] [--seed N] [NAME…]

Real drivers are those of PoCL, which runs kernels on the processor; on a build with sanitizers, for which it was not
made, they are only listed, and the device of our own, kernels in C (TESSERA_FAULTY), does the rest. Each test has a cache
folder of its own. --kills is how many failures at random calls are tried. The last line is `N passed, N failed`.
"""

import ctypes
import json
import os
import random
import shutil
import subprocess

from harness import LONG, SANITIZER, Skipped, check, give_up_rights, main

WORK = ("--per-task", "10ms")  # some ninety calls of a device
FIRST_CALLS = 50  # each of which fails once
NO_OPENCL = {"TESSERA_OPENCL": "/nowhere/libOpenCL.so.1"}


class Tests:
    def __init__(self, options, folder):
        self.folder, self.tries = folder, options.kills
        self.random = random.Random(options.seed)
        self.tessera = folder / "tessera"
        shutil.copy(options.tessera, self.tessera)
        self.is_sanitized = b"__asan_init" in self.tessera.read_bytes()
        self.caches = 0
        folder.chmod(0o777)  # nobody writes here, too

    # ---- Tools ----

    def cache(self):
        """A cache folder that nobody has used."""
        self.caches += 1
        path = self.folder / f"cache{self.caches}"
        path.mkdir(mode=0o777)
        path.chmod(0o777)
        return path

    def pocl_cache(self):
        """One for all that may find the program built: to build it takes five seconds."""
        self._pocl_cache = getattr(self, "_pocl_cache", None) or self.cache()
        return self._pocl_cache

    def run(self, *arguments, code=0, cache=None, **more):
        """Runs tessera, with variables of the environment as NAME=value; gives stdout and stderr."""
        own = {name: str(more.pop(name)) for name in list(more) if name.isupper()}
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("TESSERA_", "POCL_", "OCL_"))}
        environment |= {"XDG_CACHE_HOME": str(cache or self.cache()), **own}
        done = subprocess.run([self.tessera, *map(str, arguments)], capture_output=True, text=True, timeout=LONG,
                              env=environment, **more)
        words = f"{own} {' '.join(map(str, arguments))}: exit code {done.returncode}, says '{done.stderr.strip()[:2000]}'"
        check(done.returncode == code and not any(mark in done.stderr for mark in SANITIZER), words)
        return done.stdout, done.stderr

    def solve(self, *arguments, work=WORK, **more):
        """What `solve` writes, its summary and what it says."""
        out = self.folder / "out.json"
        text, words = self.run("solve", *work, "--out", out, "--fresh", "--pool", "none", "--quiet", "--json", *arguments, **more)
        return out.read_bytes(), json.loads(text), words

    def devices(self, *arguments, **more):
        return json.loads(self.run("devices", "--json", *arguments, **more)[0])

    def reference(self):
        if not hasattr(self, "_reference"):
            self._reference = self.solve("--device", "none")[0]
        return self._reference

    def need_pocl(self, runs=True):
        try:
            ctypes.CDLL("libOpenCL.so.1")
        except OSError:
            raise Skipped("there is no libOpenCL.so.1")
        if not any("pocl" in name for name in os.listdir("/etc/OpenCL/vendors")):
            raise Skipped("there is no PoCL")
        if runs and self.is_sanitized:
            raise Skipped("PoCL was not made for sanitizers")

    # ---- Nothing there ----

    def check_goes_on(self, reason, **more):
        """With force it says why there is no device, and solves as without; with auto it says nothing."""
        found, summary, words = self.solve("--device", "force", **more)
        check(reason in words and words.endswith("; going on with the CPU\n") and words.count("\n") == 1, f"says '{words}'")
        check(reason in summary["device"]["problem"] and not summary["device"]["used"], f"{summary['device']}")
        check(found == self.reference(), f"{more}: another submission")
        found, summary, words = self.solve(**more)
        check(not words and found == self.reference(), f"auto says '{words}'")
        listed = self.devices("--list", **more)
        check(reason in listed["why"] and not listed["devices"], f"{listed}")

    def test_no_library(self):
        self.check_goes_on("no OpenCL is there (the library /nowhere/libOpenCL.so.1 cannot be loaded)", **NO_OPENCL)

    def test_a_library_of_another_kind(self):
        self.check_goes_on("the library libm.so.6 has no platform of OpenCL", TESSERA_OPENCL="libm.so.6")

    def test_no_driver(self):
        self.need_pocl(runs=False)
        self.check_goes_on("no driver for OpenCL is there", OCL_ICD_VENDORS="/nonexistent")

    def test_a_driver_that_is_not_there(self):
        self.need_pocl(runs=False)
        vendors = self.folder / "vendors"
        vendors.mkdir()
        (vendors / "gone.icd").write_text("libgone.so.1\n")
        self.check_goes_on("the driver libgone.so.1, which gone.icd names, cannot be loaded", OCL_ICD_VENDORS=vendors)

    def test_ldd_shows_nothing(self):
        linked = subprocess.run(["ldd", self.tessera], capture_output=True, text=True, check=True).stdout
        check("libc.so" in linked and "OpenCL" not in linked, linked)

    # ---- PoCL ----

    def test_processors_are_left_alone(self):
        """By auto; that there is nothing else is remembered, until something changes."""
        self.need_pocl(runs=False)
        cache = self.cache()
        for _ in range(2):
            found, summary, words = self.solve(cache=cache)
            check(found == self.reference() and not words and not summary["device"]["used"], f"{summary['device']}, '{words}'")
        kept = os.listdir(cache / "tessera")
        check(kept == ["listing"], f"kept: {kept}")
        maps = "import re, sys; sys.exit(bool(re.search('pocl|OpenCL', sys.stdin.read())))"
        traced = subprocess.run(["sh", "-c", f"LD_DEBUG=files {self.tessera} solve --per-task 1ms --fresh --pool none --quiet "
                                 f"--out {self.folder}/out.json 2>&1 | python3 -c \"{maps}\""],
                                env={**os.environ, "XDG_CACHE_HOME": str(cache)})
        check(traced.returncode == 0, "the second run has loaded OpenCL")
        listed = self.devices("--list", cache=cache)
        check(listed["devices"] and all("it is the processor" in d["why"] for d in listed["devices"]), f"{listed}")

    def test_a_limited_address_space_has_no_devices(self):
        self.need_pocl(runs=False)
        if self.is_sanitized:
            raise Skipped("AddressSanitizer takes all address space")
        import resource
        found, summary, words = self.solve(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)))
        check(not words and not summary["device"]["used"], words)
        check(found == self.reference(), "another submission")

    def test_four_devices(self):
        self.need_pocl(runs=False)
        four = {"POCL_DEVICES": "pthread pthread pthread pthread"}
        listed = self.devices("--list", **four)["devices"]
        check([d["number"] for d in listed] == [0, 1, 2, 3], f"{listed}")

    def check_same(self, *arguments, **more):
        """The same submission, and the device has worked. Gives the words."""
        found, summary, words = self.solve(*arguments, **more)
        check(found == self.reference(), f"{arguments}, {more}: another submission; {summary['device']}, '{words}'")
        check(summary["device"]["jobs"] > 0, f"{arguments}, {more}: the device had nothing to do: {summary['device']}, '{words}'")
        return words

    def test_same_bytes_on_pocl(self):
        self.need_pocl()
        cache = self.pocl_cache()
        check(self.check_same("--device", "force", cache=cache) == "", "it says something")
        check(any(name.startswith("program-") for name in os.listdir(cache / "tessera")), "the program was not kept")
        check(self.check_same("--device", "force", "--threads", 1, cache=cache) == "", "it says something")
        four = {"POCL_DEVICES": "pthread pthread pthread pthread"}
        check(self.check_same("--device", "force", "--threads", 4, cache=cache, **four) == "", "it says something")
        two_kinds = {"POCL_DEVICES": "pthread basic"}
        check(self.check_same("--device", "force", "--threads", 2, cache=cache, **two_kinds) == "", "it says something")

    def test_same_bytes_by_the_driver_itself(self):
        """Without a loader, as in containers."""
        self.need_pocl()
        [icd] = [name for name in os.listdir("/etc/OpenCL/vendors") if "pocl" in name]
        with open(f"/etc/OpenCL/vendors/{icd}") as file:
            driver = file.readline().strip()
        check(self.check_same("--device", "force", cache=self.pocl_cache(), TESSERA_OPENCL=driver) == "", "it says something")

    def test_little_memory_on_pocl(self):
        self.need_pocl()
        found, _, _ = self.solve("--device", "force", cache=self.pocl_cache(), POCL_MEMORY_LIMIT=1)
        check(found == self.reference(), "another submission")

    def test_measured_on_pocl(self):
        self.need_pocl()
        cache = self.pocl_cache()
        [device] = self.devices(cache=cache)["devices"]
        check(device["measured"] and device["processor"] and not device["used"] and len(device["functions"]) >= 14, f"{device}")
        check(self.devices(cache=cache)["devices"] == [device], "it was measured anew")

    # ---- The cache folder ----

    def test_damaged_files_are_made_anew(self):
        cache = self.cache()
        first = self.devices(cache=cache, TESSERA_FAULTY="")["devices"]
        [kept] = (cache / "tessera").iterdir()
        whole = kept.read_bytes()
        ways = (whole.replace(b"fixed", b"fixes"), whole[:-1], b"", whole[:40], b"\0" * 1000, b"tessera " * 100,
                whole.replace(b"kernels", b"colonel", 1))
        for damaged in ways[:2 if self.is_sanitized else None]:  # to measure takes long there
            kept.write_bytes(damaged)
            again = self.devices(cache=cache, TESSERA_FAULTY="")["devices"]
            check(again[0]["measured"] and again != first, "what is damaged was believed")
            check(kept.read_bytes() != damaged, "it was not made anew")
        kept.write_bytes(whole)
        check(self.devices(cache=cache, TESSERA_FAULTY="")["devices"] == first, "what is whole was not believed")

    def test_damaged_program_on_pocl(self):
        self.need_pocl()
        cache = self.cache()
        work = ("--per-task", "1ms")
        self.solve("--device", "force", cache=cache, work=work)
        [kept] = (cache / "tessera").glob("program-*")
        whole = kept.read_bytes()
        for damaged in (b"", whole[:len(whole) // 2], whole[:-100] + b"\0" * 100):
            kept.write_bytes(damaged)
            _, _, words = self.solve("--device", "force", cache=cache, work=work)
            check(words == "" and len(kept.read_bytes()) >= len(whole) // 2 + 1, f"says '{words}', or it was not made anew")

    def test_no_cache_folder(self):
        """None to be had, a file in its place, no right to write."""
        file, locked = self.folder / "file", self.cache()
        file.write_text("")
        locked.chmod(0o555)
        for cache in (locked, "relative", file, "/dev/null", "/nonexistent")[:2 if self.is_sanitized else None]:
            [device] = self.devices(cache=cache, TESSERA_FAULTY="", HOME="/nonexistent", preexec_fn=give_up_rights)["devices"]
            check(device["measured"], f"{device}")
            found, _, words = self.solve("--device", "force", cache=cache, HOME="/nonexistent", TESSERA_FAULTY="")
            check(found == self.reference() and words == "", f"says '{words}'")

    # ---- Failures ----

    def test_kernels_in_c(self):
        check(self.check_same("--device", "force", TESSERA_FAULTY="") == "", "it says something")

    def test_auto_measures_and_leaves_it(self):
        found, summary, words = self.solve(TESSERA_FAULTY="")
        check("was measured" in words and not summary["device"]["used"] and found == self.reference(), f"'{words}'")

    def test_auto_refuses_what_is_wrong(self):
        found, summary, words = self.solve(TESSERA_FAULTY="3:wrong")
        check("is not what it is on the CPU; going on with the CPU" in words and found == self.reference(), f"'{words}'")

    def fail_at(self, fault):
        """A failure at a call is said in a line, and changes nothing. Gives whether there was one."""
        found, summary, words = self.solve("--device", "force", "--threads", 2, TESSERA_FAULTY=fault)
        check(found == self.reference(), f"TESSERA_FAULTY={fault}: another submission")
        check(words == "" or ("device 0 (kernels in C): " in words and words.endswith("; going on with the CPU\n")
                              and words.count("\n") == 1), f"TESSERA_FAULTY={fault}: says '{words}'")
        check(bool(summary["device"]["problem"]) == bool(words), f"{summary['device']}")
        return words != ""

    def test_failing_at_each_call(self):
        step = 5 if self.is_sanitized else 1
        kinds = ("memory", "lost", "build")
        failed = sum(self.fail_at(f"{call}:{kinds[call % 3]}") for call in range(1, FIRST_CALLS + 1, step))
        check(failed == len(range(1, FIRST_CALLS + 1, step)), f"only {failed} runs have failed")

    def test_failing_at_random_calls(self):
        for _ in range(self.tries):
            self.fail_at(self.random.choice((f"random:{self.random.randrange(1 << 30)}",
                                             f"{self.random.randrange(FIRST_CALLS, 90)}:lost")))


if __name__ == "__main__":
    main(Tests, __doc__)
