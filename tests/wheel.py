#!/usr/bin/env python3
"""The wheel for other machines (`make wheel`): what is in it, its first use in Debian 12 and 11 with nothing but Python, and
docs/kaggle.ipynb, all without network.

    tests/wheel.py [TEST…]

A root is what Debian's packages of python3 and python3-venv need, unpacked, and libstdc++, which numpy wants and apt brings
everywhere: no compiler, no library of ours. It is taken from the mirror that apt uses, and kept in build/bare. Where it
cannot be had (no mirror, no right to change the root) its test is skipped, and says so.
"""

import json
import os
import re
import shutil
import subprocess
import zipfile
from functools import partial
from pathlib import Path

from harness import ROOT, Skipped, check, main

KEPT = ROOT / "build/bare"
PIP = ROOT / "build/wheel/env/bin/pip"
VERSION = re.search(r'#define TS_VERSION "(.*)"', (ROOT / "include/tessera.h").read_text()).group(1)
AVX2 = "avx2" in Path("/proc/cpuinfo").read_text()
NAMESPACES = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--net"]
GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}
SOLVE = ["solve", "--per-task", "20ms", "--quiet"]
JUDGE = ["judge", "--tests", "--outputs"]  # gives up its rights first: another glibc may need others
LINE = json.dumps({"task": "butterfly", "program": "def solve(I):\n    O = cellwise(I, vmirror(I), ZERO)\n    return O"}) + "\n"
FIRST_USE = """
import importlib.metadata
import tessera

tasks = tessera.tasks("/tasks")
solved = tessera.evaluate(tessera.load("/tasks/solvers.py"), tasks).solved.any(axis=0)
tessera.solve(tasks, per_task=0.02, progress=False).write("/python.json")
linked = tessera.report("/pages", tasks["seesaw"], pool=tessera.load(), playground=True).with_name("playground.html").exists()
print(tessera.__version__, importlib.metadata.version("tessera-arc"), len(tasks), int(solved.sum()), linked)
"""
# Runs a notebook, in a kernel that is reached without even a network of this machine alone.
RUN_NOTEBOOK = """
import sys
import nbclient
import nbformat
from traitlets.config import Config

book = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(book)
if any(cell.get("outputs") for cell in book.cells):
    sys.exit("the notebook has outputs")
nbclient.NotebookClient(book, timeout=1800, config=Config({"KernelManager": {"transport": "ipc"}})).execute()
nbformat.write(book, sys.argv[2])
"""
# /dev and /proc of the machine, and no network: the namespaces end with the command.
ENTER = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'


def output(*command, **options):
    """What a command writes; it must not fail."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    check(done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def had(what, *command):
    """Runs a command that needs the network or rights; where it fails, the test is skipped."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Skipped(f"{what}: {(done.stdout.strip().splitlines() or ['nothing said'])[-1]}")


def pins(path, *names):
    """The lines of a file of requirements; with names, only of these."""
    wanted = re.compile("|".join(names) if names else r"[\w.-]+")
    return [line for line in (ROOT / path).read_text().splitlines() if wanted.fullmatch(line.partition("==")[0])]


def mirror():
    """Where apt has Debian from, and the proxy that it uses."""
    form = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"
    try:
        lines = output("apt-get", "indextargets", "--format", form, "Created-By: Packages").splitlines()
        proxy = output("apt-config", "shell", "proxy", "Acquire::http::Proxy").partition("=")[2].strip().strip("'")
    except FileNotFoundError:
        raise Skipped("this machine has no apt") from None
    addresses = [line.split("|")[2] for line in lines if line.startswith("Debian|Debian|")]
    if not addresses:
        raise Skipped("apt has no mirror of Debian")
    return addresses[0], [f'--aptopt=Acquire::http::Proxy "{proxy}"'] if proxy else []


class Tests:
    def __init__(self, options, folder):
        self.folder, self.native = folder, options.tessera
        environment = {k: v for k, v in os.environ.items() if k not in "MAKEFLAGS MAKELEVEL MFLAGS BUILD CFLAGS".split()}
        if AVX2:
            environment["V3"] = "build"  # which is for this machine, hence for v3
        self.wheel = ROOT / output(ROOT / "wheel/build", env=environment).split()[-1]
        with zipfile.ZipFile(self.wheel) as archive:
            archive.extractall(folder / "wheel")
        self.module = folder / "wheel/tessera/_tessera.abi3.so"
        self.command = folder / f"wheel/tessera_arc-{VERSION}.data/data/bin/tessera"
        self.command.chmod(0o755)

    def test_contents(self):
        check(self.wheel.name == f"tessera_arc-{VERSION}-cp39-abi3-manylinux_2_28_x86_64.whl", f"it is {self.wheel.name}")
        for file in self.module, self.command:
            needed = set(re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "-dW", file)))
            check("libc.so.6" in needed and needed <= GLIBC, f"{file.name} needs {needed - GLIBC}")
            newest = max(tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", output("readelf", "-VW", file)))
            check(newest <= (2, 28), f"{file.name} needs a glibc of {newest}")
        exported = re.findall(r" T (\S+)", output("nm", "-D", self.module))
        check(exported == ["PyInit__tessera"], f"the module shows {exported}")
        licences = {path.stem for path in (self.folder / "wheel").rglob("*.dist-info/licenses/**/*.txt")}
        check((self.folder / f"wheel/tessera_arc-{VERSION}.data/data/share/tessera/playground.html").exists(), "there is no playground in it")
        check({"emscripten", "libpng-dev", "libsqlite3-dev", "libyajl-dev", "zlib1g-dev"} <= licences, f"licences of {licences} only")

    def test_levels(self):
        """Both halves give the same, only one has AVX, and TESSERA_LEVEL=v2 runs the other."""
        for half in "v2", "v3":
            for entry in "main", "PyInit__tessera":
                code = output("objdump", "-d", "--no-show-raw-insn", ROOT / f"build/wheel/link-{entry}/{half}.o")
                check(("%ymm" in code) == (half == "v3"), f"{half} of {entry}: AVX is where it should not be, or not where it should")
        bench = ["bench", "--seconds", "0"]
        signatures, counts = {output(self.native, *bench).split("\n")[0]}, []
        for level in "v2", "v3":
            environment = {**os.environ, "TESSERA_LEVEL": level}
            signatures.add(output(self.command, *bench, env=environment).split("\n")[0])
            counted = output("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", self.command, "run",
                             "tasks/solvers.py", cwd=ROOT, env=environment)
            counts.append(int(re.search(r"Collected : (\d+)", counted).group(1)))
        check(len(signatures) == 1, f"the signatures are {signatures}")
        check(counts[0] > counts[1] or not AVX2, f"instructions: {counts}, so both are the same level")

    def root(self, suite):
        """A root of this Debian, unpacked."""
        archive, root = KEPT / f"{suite}.tar", self.folder / suite
        if not archive.exists():
            address, options = mirror()
            KEPT.mkdir(parents=True, exist_ok=True)
            fresh = self.folder / "fresh.tar"
            had(f"no root of {suite}", "mmdebstrap", "-q", "--variant=extract", "--include=python3,python3-venv,libstdc++6", *options,
                suite, fresh, address)
            shutil.move(fresh, archive)
        root.mkdir()
        output("tar", "xf", archive, "-C", root, "--no-same-owner", "--exclude=./dev/*")
        for name in "dev", "proc", "tmp":
            (root / name).mkdir(exist_ok=True)
        shutil.copytree(ROOT / "tasks", root / "tasks")
        (root / "first_use.py").write_text(FIRST_USE)
        return root

    def wheels(self, root, python, requirements):
        """What the package needs itself, beside it in a folder of the root."""
        kept = KEPT / f"wheels-{python}"
        (self.folder / "pins.txt").write_text("\n".join(pins(requirements, "cffi", "numpy", "pycparser")))
        platforms = ["--platform=manylinux2014_x86_64", "--platform=manylinux_2_28_x86_64"]
        if not kept.exists():
            had("no wheels", PIP, "download", "-q", "--no-deps", "--only-binary=:all:", "--require-hashes", *platforms,
                f"--python-version={python}", "-d", self.folder / f"wheels-{python}", "-r", self.folder / "pins.txt")
            shutil.move(self.folder / f"wheels-{python}", kept)
        shutil.copytree(kept, root / "wheels")
        shutil.copy(self.wheel, root / "wheels")

    def use(self, suite, python, requirements):
        root = self.root(suite)
        self.wheels(root, python, requirements)
        enter = [*NAMESPACES, "--mount", "--pid", "--fork", "sh", "-c", ENTER, root]
        had("no namespaces", *enter, "/usr/bin/python3", "-c", "")

        def inside(*command, level="", **options):
            environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/tmp", "LANG": "C.UTF-8", "TESSERA_LEVEL": level}
            return output(*enter, *command, env=environment, **options)

        inside("/usr/bin/python3", "-m", "venv", "/venv")
        inside("/venv/bin/pip", "install", "-q", "--no-index", "--find-links", "/wheels", "tessera-arc")
        said = inside("/venv/bin/python", "/first_use.py").split()
        check(said == [VERSION, VERSION, "14", "14", "True"], f"in Python: {said}")
        check(inside("/venv/bin/tessera", "--version") == f"tessera {VERSION}\n", "the command has another version")
        judged = [run(*JUDGE, input=LINE) for run in (partial(inside, "/venv/bin/tessera"), partial(output, self.native))]
        check(all("in a sandbox" in said for said in judged) and len({re.search("^{.*", said, re.M).group() for said in judged}) == 1,
              f"judge says {judged[0]}, natively {judged[1]}")
        inside("/venv/bin/tessera", *SOLVE, "--tasks", "/tasks", "--out", "/command.json")
        inside("/venv/bin/tessera", *SOLVE, "--tasks", "/tasks", "--out", "/slow.json", level="v2")
        inside("/venv/bin/tessera", "playground", "--out", "/page.html", "/tasks/seesaw.json")
        output(self.native, "playground", "--out", self.folder / "page.html", ROOT / "tasks/seesaw.json")
        check((root / "page.html").read_bytes() == (self.folder / "page.html").read_bytes(), "the playground is another than here")
        output(self.native, *SOLVE, "--tasks", ROOT / "tasks", "--out", root / "native.json")
        native = json.loads((root / "native.json").read_text())
        for name in "python", "command", "slow":
            check(json.loads((root / f"{name}.json").read_text()) == native, f"the submission {name}.json is another than here")

    def test_debian_12(self):
        self.use("bookworm", "3.11", "python/tests/requirements.txt")

    def test_debian_11(self):
        self.use("bullseye", "3.9", "python/tests/requirements-3.9.txt")

    def test_notebook(self):
        """docs/kaggle.ipynb on the bundled tasks in Kaggle's form: own answers are in, all tests are there, pictures are drawn."""
        needed = pins("python/tests/requirements.txt", "cffi", "numpy", "pycparser", "packaging", "pygments", "typing-extensions")
        environment, listed = ROOT / "build/notebook", self.folder / "notebook.txt"
        listed.write_text("\n".join([*needed, *pins("python/tests/requirements-notebook.txt")]) + "\n")
        had("no notebooks", ROOT / "scripts/environment", environment, listed)
        had("no namespaces", *NAMESPACES, "true")
        output(environment / "bin/pip", "uninstall", "-q", "-y", "tessera-arc")
        data, out = self.folder / "data", self.folder / "out"
        own = write_competition(data, out)
        variables = {"PATH": f"{environment}/bin:/usr/bin:/bin", "HOME": str(self.folder), "TESSERA_WHEELS": str(self.wheel.parent),
                     "TESSERA_DATA": str(data), "TESSERA_OUT": str(out), "TESSERA_PART": "training", "TESSERA_SECONDS": "2"}
        output(*NAMESPACES, environment / "bin/python", "-c", RUN_NOTEBOOK, ROOT / "docs/kaggle.ipynb", out / "ran.ipynb", env=variables)
        ran = (out / "ran.ipynb").read_text()
        check("<svg" in ran and f"'{VERSION}'" in ran, "no pictures, or another version")
        check(re.search(r"together with \['own.json'\]", ran), "the own answers are not in")
        submission = json.loads((out / "submission.json").read_text())
        check([[9, 9, 9]] in submission[own][0].values(), "the own answer is not in the submission")
        said = output(self.native, "score", out / "submission.json", "--tasks", data / "arc-agi_training_challenges.json")
        right = re.search(r"(\d+) of 28 outputs right", said)
        check(right and f"{right.group(1)} of 28 outputs right" in ran, f"score says {said}")


def write_competition(data, out):
    """The bundled tasks as the files of a competition, and answers of our own; the task for which they have a strange one."""
    tasks = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tasks").glob("*.json"))}
    challenges = {id: {"train": t["train"], "test": [{"input": s["input"]} for s in t["test"]]} for id, t in tasks.items()}
    solutions = {id: [s["output"] for s in t["test"]] for id, t in tasks.items()}
    sample = {id: [{"attempt_1": [[0, 0], [0, 0]], "attempt_2": [[0, 0], [0, 0]]} for _ in t["test"]] for id, t in tasks.items()}
    own = sorted(tasks)[0]
    answers = {own: [{"attempt_1": [[9, 9, 9]]} for _ in tasks[own]["test"]]}
    data.mkdir()
    out.mkdir()
    for path, content in ((data / "arc-agi_training_challenges.json", challenges), (data / "arc-agi_training_solutions.json", solutions),
                          (data / "sample_submission.json", sample), (out / "own.json", answers)):
        path.write_text(json.dumps(content))
    return own


main(Tests, __doc__)
