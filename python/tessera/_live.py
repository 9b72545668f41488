"""The page that shows how the work goes while it goes on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Optional

from ._core import StrPath, Watch, c_new_path, fail, text
from ._tasks import Tasks
from ._tessera import ffi, lib


def title_of(tasks: Any) -> Optional[str]:
    """What a page about tasks is called, by what the caller gave."""
    if tasks is None:
        return "bundled tasks"
    return Path(tasks).name if isinstance(tasks, (str, os.PathLike)) else None


class LivePage:
    """The page of `pages=…`, or none. The watch renews it; the work, in its thread, closes it when it is done. Where
    that does not come to pass, it is closed when nobody holds it any more."""

    def __init__(self, folder: Optional[StrPath], title: Optional[str], tasks: Tasks, watch: Watch):
        self._page, self._watch = None, watch.structs[0]
        self._kept: list[Any] = [watch.structs]
        if folder is None:
            return
        status, pointers = ffi.new("ts_status *"), tasks._pointers()
        name = ffi.NULL if title is None else title.encode()
        made = lib.ts_live_open(c_new_path(folder), name, pointers, len(tasks), status) or fail(status)
        self._kept += [tasks, pointers]  # which the page looks at until it is closed
        self._page = ffi.gc(made, lambda page, _=(tasks, pointers): lib.ts_live_close(page, ffi.NULL, ffi.new("ts_status *")))
        self._watch.live = made

    def follow(self, loop: Any, pool: StrPath, budget: float) -> None:
        """Says which loop is watched."""
        self._kept.append(ffi.new("char[]", os.fsencode(pool)))
        self._watch.loop, self._watch.pool, self._watch.budget = loop, self._kept[-1], budget

    def close(self, submission: Any = ffi.NULL) -> None:
        if self._page is None:
            return
        w, status = self._watch, ffi.new("ts_status *")
        page, self._page = self._page, None
        ffi.gc(page, None)  # it is closed here
        if w.loop:
            good = lib.ts_live_watch_iterate(page, w.loop, w.pool, w.all, w.budget, True, status)
            lib.keep_trouble(ffi.addressof(w), good, status)
        w.live = ffi.NULL
        good = lib.ts_live_close(page, submission, status)
        lib.keep_trouble(ffi.addressof(w), good, status)

    @property
    def trouble(self) -> str:
        """What went wrong with it; the work went on."""
        said = text(self._watch.trouble.message) if self._watch.trouble.code else ""
        return said and f"{said}; the work went on without that page"
