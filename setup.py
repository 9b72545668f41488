"""Builds the package: the library with make, then a module that holds all of it.

    pip install .                        uses and fills build/, as make does
    MARCH= pip wheel .                   for any processor, where the wheel goes to other machines
    BUILD=/tmp/other pip install .       builds elsewhere

What tessera.h declares is what the module has (python/binding.py). The command `tessera` comes along.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import setup
from setuptools.command.build_ext import build_ext

BUILD = os.environ.get("BUILD", "build")
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


class BuildModule(build_ext):
    def run(self):
        lacking = missing()
        if lacking:
            sys.exit(f"tessera: cannot build without {', '.join(lacking)}. On Debian: apt-get install {packages()}")
        targets = [f"{BUILD}/libtessera.a", f"{BUILD}/tessera"]
        subprocess.run(["make", f"-j{os.cpu_count()}", f"BUILD={BUILD}", *targets], check=True)
        super().run()


# One wheel for every Python from 3.9 on, but for those without the lock, which have no stable interface yet.
limited = not sysconfig.get_config_var("Py_GIL_DISABLED")
setup(
    version=version(),
    cffi_modules=["python/binding.py:ffi"],
    cmdclass={"build_ext": BuildModule},
    data_files=[("bin", [f"{BUILD}/tessera"])],
    options={
        "build": {"build_base": f"{BUILD}/python"},
        "bdist_wheel": {"py_limited_api": "cp39"} if limited else {},
    },
)
