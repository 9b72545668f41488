"""`python -m tessera …` is the command `tessera …` that was installed with this package."""

import os
import shutil
import sys

from ._core import installed


def command() -> str:
    """The path of the command: that of this package; else one beside this Python."""
    found = installed("bin", "tessera") or shutil.which("tessera", path=os.path.dirname(sys.executable)) or shutil.which("tessera")
    return found or sys.exit("tessera: the command did not come with this package; `make` builds it")


if __name__ == "__main__":
    path = command()
    os.execv(path, ["tessera", *sys.argv[1:]])
