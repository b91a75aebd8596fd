"""Processes that need the same compiled code at the same time compile it once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludometer.core.compiling.compile_lock import acquire
from ludometer.core.errors import GameDefinitionError

ROOT = Path(__file__).parents[3]
SLOWLY_COMPILED = """
import sys, time
from pathlib import Path
from numba.core import event
import work
from ludometer.core.compiling.compilation import compilations

class Slow(event.Listener):
    def on_start(self, event):
        Path(f"started-{sys.argv[1]}").touch()
        while len(list(Path().glob("ready-*"))) < 2:  # both processes want it now
            time.sleep(0.02)
        time.sleep(0.5)
    def on_end(self, event): pass

event.register("numba:compile", Slow())
Path(f"ready-{sys.argv[1]}").touch()
work.add(1)
print(compilations.count)
"""


def test_one_compiles_and_the_other_loads(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        "from ludometer.core.compiling.compilation import kernel\n\n@kernel\ndef add(number):\n    return number + 1\n"
    )
    settings = {**os.environ, "LUDOMETER_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"}
    commands = [[sys.executable, "-c", SLOWLY_COMPILED, name] for name in "ab"]
    both = [subprocess.Popen(one, env=settings, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for one in commands]
    assert sorted(process.communicate(timeout=300)[0] for process in both) == ["0\n", "1\n"]
    assert len(list(tmp_path.glob("started-*"))) == 1 and not list(tmp_path.rglob("*.lock"))


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "code"
    held = acquire(file, lambda: False)
    assert held is not None
    assert acquire(file, lambda: False, longest_wait=0.0) is None, "held in this process and not by waiting"
    since = time.monotonic()
    assert acquire(file, lambda: time.monotonic() > since + 0.2) is None, "the file became ready"
    held.release()
    again = acquire(file, lambda: False)
    assert again is not None
    again.release()


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, signal; from ludometer.core.compiling.compile_lock import acquire\n"
        f"lock = acquire(pathlib.Path({str(tmp_path / 'code')!r}), lambda: False); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60)
    assert (tmp_path / "code.lock").exists()
    lock = acquire(tmp_path / "code", lambda: False, longest_wait=0.0)
    assert lock is not None
    lock.release()


def test_a_kernel_that_cannot_be_compiled_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.core.compiling.compilation import kernel

    monkeypatch.setenv("LUDOMETER_CACHE", str(tmp_path))

    @kernel
    def add(number):
        return number + "text"

    with pytest.raises(GameDefinitionError, match="in add"):
        add(1)
    assert not list(tmp_path.rglob("*.lock"))
    lock = acquire(tmp_path / "folder" / "file", lambda: False)
    assert lock is not None
    lock.release()


def test_a_folder_that_cannot_be_written_has_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert acquire(tmp_path / "file" / "folder" / "code", lambda: False) is None
