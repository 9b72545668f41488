"""`python -m tessera …` is the command `tessera …` that was installed with this package."""

import os
import shutil
import sys
from importlib.metadata import PackageNotFoundError, files


def command() -> str:
    """The path of the command: that of this package, wherever its parts were put; else one beside this Python."""
    try:
        parts = files("tessera-arc") or []
    except PackageNotFoundError:
        parts = []
    for part in parts:
        if part.name == "tessera" and part.parent.name == "bin" and os.path.exists(part.locate()):
            return os.fspath(part.locate())
    found = shutil.which("tessera", path=os.path.dirname(sys.executable)) or shutil.which("tessera")
    return found or sys.exit("tessera: the command did not come with this package; `make` builds it")


if __name__ == "__main__":
    path = command()
    os.execv(path, ["tessera", *sys.argv[1:]])
