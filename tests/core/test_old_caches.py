"""Compiled code of sources that are gone is removed in time."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from pathlib import Path

import pytest

from ludometer.core.compiling import compilation

SOURCE = """
from ludometer.core.compiling.compilation import kernel

@kernel
def double(number):
    return 2 * number
"""


def test_unused_folders_go_when_something_new_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("LUDOMETER_CACHE", str(cache))
    compilation._remove_old_caches_once.cache_clear()
    old, young, other = (cache / name for name in ("some.module-0123456789abcdef", "some.module-fedcba9876543210", "notes"))
    for folder in (old, young, other):
        (folder / "plain").mkdir(parents=True)
        (folder / "plain" / "kernel").write_text("")
    long_ago = time.time() - (compilation.DAYS_KEPT + 1) * 86_400
    for folder in (old, other):
        os.utime(folder, (long_ago, long_ago))
    file = tmp_path / "freshly_written.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("freshly_written", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "freshly_written", module)
    spec.loader.exec_module(module)
    assert old.is_dir()
    assert module.double(21) == 42
    assert not old.exists() and young.is_dir() and other.is_dir()
    assert any(folder.name.startswith("freshly_written.double-") for folder in cache.iterdir())
