"""Builds the package: the library with make, then a module that holds all of it.

    pip install .                        uses and fills build/, as make does
    BUILD=/tmp/other pip install .       builds elsewhere
    make wheel                           the wheel for other machines, with PORTABLE=1 (wheel/)

What tessera.h declares is what the module has (python/binding.py). The command `tessera` comes along.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, "python")
import stubs

BUILD = os.environ.get("BUILD", "build")
PORTABLE = os.environ.get("PORTABLE") == "1"
HEADERS = ["yajl/yajl_parse.h", "png.h", "sqlite3.h"]


def version():
    with open("include/tessera.h", encoding="utf-8") as header:
        return re.search(r'#define TS_VERSION "(.*)"', header.read()).group(1)


def missing():
    """What the build needs and does not find."""
    compiler = os.environ.get("CC", "cc").split()
    tools = [tool for tool in ("make", compiler[-1]) if not shutil.which(tool)]
    if tools:
        return tools
    have = [os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))]
    for name in HEADERS:
        look = subprocess.run([*compiler, "-E", "-xc", "-"], input=f"#include <{name}>\n".encode(), capture_output=True)
        have.append(look.returncode == 0)
    return [name for name, found in zip(["Python.h", *HEADERS], have) if not found]


def packages():
    with open("packages.txt", encoding="utf-8") as lines:
        names = [line.split()[1] for line in lines if line.startswith("build ")]
    return " ".join([*names, "python3-dev"])


def link(entry, out, *objects):
    environment = {**os.environ, "BUILD": BUILD, "ZIG": f"{sys.executable} -m ziglang"}
    subprocess.run(["wheel/link", entry, out, *objects], check=True, env=environment)


class BuildModule(build_ext):
    def run(self):
        lacking = missing()
        if lacking:
            sys.exit(f"tessera: cannot build without {', '.join(lacking)}. On Debian: apt-get install {packages()}")
        targets = [f"{BUILD}/libtessera.a", f"{BUILD}/tessera"]
        if PORTABLE:
            link("main", f"{BUILD}/tessera")
        else:
            subprocess.run(["make", f"-j{os.cpu_count()}", f"BUILD={BUILD}", *targets], check=True)
        super().run()
        if not self.inplace:
            stubs.write(Path(self.build_lib, "tessera/dsl.pyi"))

    def build_extension(self, ext):
        if not PORTABLE:
            return super().build_extension(ext)
        objects = self.compiler.compile(ext.sources, self.build_temp, ext.define_macros, ext.include_dirs)
        os.makedirs(os.path.dirname(self.get_ext_fullpath(ext.name)), exist_ok=True)
        link("PyInit__tessera", self.get_ext_fullpath(ext.name), *objects)


# One wheel for every Python from 3.9 on, but for those without the lock, which have no stable interface yet.
limited = not sysconfig.get_config_var("Py_GIL_DISABLED")
wheel = {"py_limited_api": "cp39"} if limited else {}
if PORTABLE:
    wheel["plat_name"] = "manylinux_2_28_x86_64"
os.makedirs(f"{BUILD}/python", exist_ok=True)
page = f"{BUILD}/playground.html"  # there if `make playground` has built it
setup(
    version=version(),
    cffi_modules=["python/binding.py:ffi"],
    cmdclass={"build_ext": BuildModule},
    license_files=["LICENSE", *([f"{BUILD}/licences/*"] if PORTABLE else [])],
    data_files=[("bin", [f"{BUILD}/tessera"]), *([("share/tessera", [page])] if os.path.exists(page) else [])],
    options={
        "build": {"build_base": f"{BUILD}/python"},
        "egg_info": {"egg_base": f"{BUILD}/python"},
        "bdist_wheel": wheel,
    },
)
