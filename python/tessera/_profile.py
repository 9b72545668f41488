"""Where the time of a run went."""

from __future__ import annotations

import json
import os
from html import escape
from typing import Any, Mapping, NamedTuple, Optional, Union

from ._core import InputError, StrPath, fail, owned, take_text, write_whole
from ._tessera import ffi, lib

WantsProfile = Union[bool, StrPath]


class ProfileFunction(NamedTuple):
    """A primitive, a step of the work around them, or an engine of the search."""

    name: str
    ms: float
    calls: int


class ProfileCategory(NamedTuple):
    """A family of primitives, or a kind of work around them."""

    name: str
    ms: float
    primitives: bool  # whether it is a family of primitives
    functions: list[ProfileFunction]


class Profile:
    """Where the time of a run went. Printed it is the table of the command `tessera profile`.

    `wall_ms` is the time by the clock, `core_ms` that of all cores. `stages`: the milliseconds of each. `categories`: a list of
    `ProfileCategory`, those that took any time, the longest first. `tasks`: milliseconds by id. `curve`: points (core-seconds,
    tasks solved, programs tried) of a search. `data` is all of it, as in the file.
    """

    def __init__(self, data: Mapping[str, Any]):
        self.data = dict(data)
        self._text = json.dumps(self.data)
        self._table(10, False)  # says what is wrong, if anything is
        self.command: str = self.data["command"]
        self.wall_ms: float = self.data["wall_ms"]
        self.core_ms: float = self.data["core_ms"]
        self.stages: dict[str, float] = {stage["name"]: stage["ms"] for stage in self.data["stages"]}
        self.tasks: dict[str, float] = {task["id"]: task["ms"] for task in self.data.get("tasks", [])}
        self.curve: list[tuple[float, int, int]] = [(s, n, tried) for s, n, tried in self.data.get("curve", [])]
        found = [_category(category) for category in self.data["categories"] if category["ms"]]
        self.categories = sorted(found, key=lambda category: -category.ms)

    def __reduce__(self) -> Any:
        return type(self), (self.data,)

    def _table(self, outlier: float, without_outliers: bool) -> str:
        data, status = self._text.encode(), ffi.new("ts_status *")
        table = lib.ts_profile_print(b"profile", data, len(data), outlier, without_outliers, status)
        if not table:
            fail(status)
        return take_text(table)

    def table(self, *, outlier: float = 10, without_outliers: bool = False) -> str:
        """The table, with a task as an outlier that takes over `outlier` times the median."""
        if not 1 <= outlier <= 1e6:
            raise ValueError(f"outlier is 1 to 1000000, not {outlier}")
        return self._table(outlier, bool(without_outliers))

    def write(self, path: StrPath) -> None:
        """Writes it as a file that `tessera profile` and `tessera report --profile` read."""
        write_whole(path, self._text)

    def __str__(self) -> str:
        return self._table(10, False)

    def __repr__(self) -> str:
        return f"<tessera.Profile of {self.command}, {self.wall_ms:.1f} ms, {self.core_ms:.1f} ms of cores>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _category(category: Any) -> ProfileCategory:
    functions = [ProfileFunction(f["name"], f["ms"], f["calls"]) for f in category["functions"]]
    return ProfileCategory(category["name"], category["ms"], category["primitives"], functions)


def profile(source: Union[StrPath, Mapping[str, Any], Profile]) -> Profile:
    """Where the time went: the file that `--profile` of a command or `profile=` of a function wrote, or its content.

    >>> import tessera
    >>> result = tessera.evaluate(tessera.load(), tessera.tasks(), profile=True)
    >>> result.profile.command, len(result.profile.tasks), result.profile.categories[0].ms > 0
    ('battery', 14, True)
    >>> tessera.profile(result.profile.data)
    <tessera.Profile of battery, ... ms, ... ms of cores>
    """
    if isinstance(source, Profile):
        return source
    if not isinstance(source, (str, os.PathLike)):
        return Profile(source)
    with open(source, encoding="utf-8") as file:
        try:
            data = json.load(file)
        except ValueError as error:
            raise InputError(f"this is no report: {error}", os.fspath(source)) from None
    if not isinstance(data, dict):
        raise InputError("this is no report of a profile", os.fspath(source))
    return Profile(data)


class Recording:
    """A profile under way, for a run that was asked for one: True, or the file that it goes to. It is begun and ended by the
    thread that does the work."""

    def __init__(self, wanted: WantsProfile, command: str):
        self.wanted, self.command = wanted, command
        self.handle: Any = ffi.NULL
        self.profile: Optional[Profile] = None

    def begin(self) -> Any:
        if self.wanted is not False:
            self.handle = owned(lib.ts_profile_new(), lib.ts_profile_free)
        return self.handle

    def end(self) -> None:
        if self.handle == ffi.NULL:
            return
        self.profile = Profile(json.loads(take_text(lib.ts_profile_report(self.handle, self.command.encode()))))
        if not isinstance(self.wanted, bool):
            self.profile.write(self.wanted)
