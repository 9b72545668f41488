# The compiled module: what include/tessera.h declares, by the names it has there.
from typing import Any

ffi: Any
lib: Any
