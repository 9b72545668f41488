"""What the tests share: the bundled tasks and programs, and the command that came with the package."""

import os
import shutil
import sys
from pathlib import Path

import pytest

import tessera

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def tasks():
    return tessera.tasks(ROOT / "tasks")


@pytest.fixture(scope="session")
def programs():
    return tessera.load(ROOT / "tasks/solvers.py")


@pytest.fixture(scope="session")
def command():
    """The program `tessera` beside this Python, else that of make."""
    return shutil.which("tessera", path=os.path.dirname(sys.executable)) or str(ROOT / "build/tessera")
