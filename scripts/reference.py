"""The API reference of the package, made by pdoc from its docstrings:  python reference.py FOLDER

A warning is an error. Classes call themselves tessera.X and some names are there for type checkers only, so pdoc would not find
what annotations name: for it all modules of the package get the names of all others.
"""

import builtins
import sys
import typing
import warnings
from pathlib import Path

import pdoc

typing.TYPE_CHECKING = True  # type aliases of annotations stand under it
import tessera  # noqa: E402
import tessera.dsl  # noqa: E402, F401

warnings.simplefilter("error")
modules = [module for name, module in sys.modules.items() if name.startswith("tessera._") and name != "tessera._tessera"]
names = {key: value for module in modules for key, value in vars(module).items() if not hasattr(builtins, key)}
for module in [tessera, *modules]:
    for key, value in names.items():
        vars(module).setdefault(key, value)
for name in tessera.__all__:
    if hasattr(getattr(tessera, name), "_fields"):  # what makes a named tuple belongs to no module
        named = getattr(tessera, name)
        named.__new__.__annotations__ = named.__annotations__ = typing.get_type_hints(named, vars(tessera))
pdoc.pdoc("tessera", "tessera.dsl", output_directory=Path(sys.argv[1]))
