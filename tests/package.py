#!/usr/bin/env python3
"""What make gives beside the command: an installed library that a program finds by pkg-config, one version everywhere,
compile_commands.json, and warnings that are errors for us only.

    tests/package.py [TEST…]
"""

import ctypes
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from docs import blocks, programs
from harness import ROOT, check, main

HEADER = (ROOT / "include/tessera.h").read_text()
VERSION = re.search(r'#define TS_VERSION "(.*)"', HEADER).group(1)
ABI = re.search(r"#define TS_ABI (\d+)", HEADER).group(1)
# What the make around this one says is not for the ones that are run here.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in "MAKEFLAGS MAKELEVEL MFLAGS WERROR CFLAGS DESTDIR PREFIX".split()}


def run(*command, fails=False, folder=ROOT, **environment):
    """What a command writes, to stdout and stderr."""
    done = subprocess.run([str(part) for part in command], cwd=folder, env={**ENVIRONMENT, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check((done.returncode != 0) == fails, f"{shlex.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


class Tests:
    def __init__(self, options, folder):
        self.folder, self.prefix = folder, folder / "prefix"
        run("make", "-s", "install", f"PREFIX={self.prefix}")
        self.environment = {"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}

    def flags(self, *options):
        return run("pkg-config", *options, "tessera", **self.environment).split()

    def tree(self, name, *without):
        """A folder that looks like the root of the project, not built."""
        tree = self.folder / name
        tree.mkdir()
        for entry in ROOT.iterdir():
            if entry.name not in (".git", "build", "compile_commands.json", *without):
                (tree / entry.name).symlink_to(entry)
        return tree

    def test_version_everywhere(self):
        library = ctypes.CDLL(str(self.prefix / f"lib/libtessera.so.{ABI}"))
        library.ts_version.restype = ctypes.c_char_p
        says = {
            "the command": run(self.prefix / "bin/tessera", "--version").removeprefix("tessera ").strip(),
            "the library": library.ts_version().decode(),
            "pkg-config": self.flags("--modversion")[0],
            "the man page": re.match(r'\.TH .*"tessera (.*)"', (self.prefix / "share/man/man1/tessera.1").read_text()).group(1),
            "CHANGELOG.md": re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1),
        }
        for who, version in says.items():
            check(version == VERSION, f"{who} says {version}, tessera.h {VERSION}")

    def test_version_in_one_place(self):
        """Another number in the header is another number wherever make and pip have one."""
        tree = self.tree("version", "include")
        (tree / "include").mkdir()
        (tree / "include/tessera.h").write_text(HEADER.replace(f'TS_VERSION "{VERSION}"', 'TS_VERSION "98.7.6"')
                                                .replace(f"TS_ABI {ABI}", "TS_ABI 97"))
        would = run("make", "-n", "install", folder=tree)
        for part in "libtessera.so.98.7.6", "-soname,libtessera.so.97 ", "Version: 98.7.6":
            check(part in would, f"make install has no {part}")
        check(VERSION not in would, f"make install has {VERSION} from somewhere else")
        version = "import re, setuptools; setuptools.setup = lambda version, **rest: print(version); exec(open('setup.py').read())"
        check(run("python3", "-c", version, folder=tree) == "98.7.6\n", "pip has another version")

    def test_install(self):
        library = self.prefix / "lib"
        check(os.readlink(library / "libtessera.so") == f"libtessera.so.{ABI}", "libtessera.so is no link to the library's number")
        check(os.readlink(library / f"libtessera.so.{ABI}") == f"libtessera.so.{VERSION}", "the number is no link to the version")
        check(f"soname: [libtessera.so.{ABI}]" in run("readelf", "-d", library / "libtessera.so"), "the SONAME is another")
        run("make", "-s", "install", f"DESTDIR={self.folder}/stage", "PREFIX=/usr")
        config = (self.folder / "stage/usr/lib/pkgconfig/tessera.pc").read_text()
        check("prefix=/usr\n" in config and str(self.folder) not in config, "tessera.pc names the stage")
        names = [{str(path.relative_to(top)) for path in top.rglob("*")} for top in (self.prefix, self.folder / "stage/usr")]
        check(names[0] == names[1], f"only one of two has {names[0] ^ names[1]}")

    def test_programs_of_the_docs(self):
        """The programs of docs/EMBEDDING.md, strictly compiled, run with the installed library and no other."""
        files = programs(blocks((ROOT / "docs/EMBEDDING.md").read_text()))
        check(set(files) == {"turn.c", "find.c", "shadow.c"}, f"docs/EMBEDDING.md has the programs {sorted(files)}")
        gives = {"turn.c": "((4, 1, 4, 1), (5, 2, 5, 2), (6, 3, 6, 3))\n", "find.c": "butterfly, confidence ", "shadow.c": "((0, 3), (0, 5))\n"}
        for name, text in files.items():
            (self.folder / name).write_text(text)
            program = self.folder / Path(name).stem
            for compiler in "gcc", "clang":
                run(compiler, "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", name, "-o", program,
                    *self.flags("--cflags", "--libs"), f"-Wl,-rpath,{self.prefix}/lib", folder=self.folder)
                check(f"[libtessera.so.{ABI}]" in run("readelf", "-d", program), f"{name} is not linked with libtessera.so.{ABI}")
                output = run(program, ROOT / "tasks/butterfly.json")
                check(output.startswith(gives[name]), f"{name} writes {output[:200]}")
        run("c++", "-x", "c++", "-Wall", "-Werror", "-fsyntax-only", *self.flags("--cflags"), self.prefix / "include/tessera.h")

    def test_programs_of_the_docs_static(self):
        text = programs(blocks((ROOT / "docs/EMBEDDING.md").read_text()))["turn.c"]
        (self.folder / "static.c").write_text(text)
        libraries = [flag for flag in self.flags("--static", "--libs") if flag not in ("-ltessera", f"-L{self.prefix}/lib")]
        check(libraries, "pkg-config --static names no further libraries")
        run("cc", "static.c", "-o", "static", *self.flags("--cflags"), self.prefix / "lib/libtessera.a", *libraries, folder=self.folder)
        check(run(self.folder / "static").startswith("((4, 1,"), "the static program gives something else")

    def test_static(self):
        """Both programs of the docs with nothing shared, by what pkg-config says and no more."""
        files = programs(blocks((ROOT / "docs/EMBEDDING.md").read_text()))
        for name, begins in ("turn.c", "((4, 1,"), ("find.c", "butterfly, confidence "):
            (self.folder / name).write_text(files[name])
            program = self.folder / f"{name}.static"
            run("cc", "-static", name, "-o", program, *self.flags("--cflags", "--static", "--libs"), folder=self.folder)
            check("NEEDED" not in run("readelf", "-d", program), f"{name} needs a shared library")
            check(run(program, ROOT / "tasks/butterfly.json").startswith(begins), f"{name}, linked statically, gives something else")

    def test_tags(self):
        """A tag vX.Y.Z stands where tessera.h says X.Y.Z, and CHANGELOG.md has a heading for it."""
        if not (ROOT / ".git").exists() or not shutil.which("git"):
            return
        headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M)
        for tag in run("git", "tag", "--list", "v[0-9]*").split():
            header = run("git", "show", f"{tag}:include/tessera.h")
            check(f'TS_VERSION "{tag[1:]}"' in header, f"at {tag} tessera.h has another version")
            check(tag[1:] in headings, f"CHANGELOG.md has no heading for {tag}")

    def test_compile_commands(self):
        tree = self.tree("commands")
        run("make", "-s", "compile_commands.json", folder=tree)
        rows = {row["file"]: row for row in json.loads((tree / "compile_commands.json").read_text())}
        sources = {str(path.relative_to(ROOT)) for glob in ("src/*/*.c", "tests/*.c") for path in ROOT.glob(glob)}
        check(sources - set(rows) == {"tests/generate.c"}, f"without a command: {sorted(sources - set(rows))}")
        for file in "src/base/arena.c", "src/search/solver.c", "tests/unit.c":
            check(rows[file]["directory"] == str(tree), f"the folder is {rows[file]['directory']}")
            command = rows[file]["command"].replace("-MMD -MP", "-fsyntax-only") # which writes nothing
            run("sh", "-c", command, folder=tree)

    def test_warnings(self):
        """A warning that a newer compiler may have is an error with WERROR=1 and else none."""
        for werror in "1", "":
            target = f"{self.folder}/warned{werror}/obj/base/arena.o"
            output = run("make", "-s", f"BUILD={self.folder}/warned{werror}", target, fails=werror == "1",
                         CFLAGS="-O0 -Wc++-compat", **({"WERROR": werror} if werror else {}))
            check("-Wc++-compat" in output or "-Werror=c++-compat" in output, "nothing was warned of: take another warning")
            check(Path(target).exists() == (werror == ""), f"WERROR={werror}: the object is as it should not be")


main(Tests, __doc__)
