"""The version of the package is that of the library in it."""

import tessera
from tessera._tessera import ffi, lib


def test_version():
    assert tessera.__version__ == ffi.string(lib.ts_version()).decode()
