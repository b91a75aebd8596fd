"""Files written whole or not at all: into a temporary file beside the target, which is then renamed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ludometer.core.errors import LudometerError, shorten


def check_writable(path: str | Path) -> Path:
    """The path, if a file can be written there; raises LudometerError.  Ask before long work whose result goes there."""
    if not str(path):
        raise LudometerError("the name of a file to write is empty")
    try:
        file = Path(path).expanduser()
        folder = file.parent
        if file.is_dir():
            raise LudometerError(f"cannot write {shorten(str(path))}: it is a folder")
        if not folder.is_dir():
            raise LudometerError(f"cannot write {shorten(str(path))}: there is no folder {shorten(str(folder))}")
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise LudometerError(f"cannot write {shorten(str(path))}: permission denied")
    except (OSError, ValueError, RuntimeError) as error:  # a name too long, with a zero byte, or of an unknown user
        raise LudometerError(f"cannot write {shorten(str(path))}: {_reason(error)}") from error
    return file


def check_outputs(*paths: str | None) -> None:
    """Raise LudometerError unless all of these files (None: not wanted) can be written, each in a place of its own."""
    files = [check_writable(path).absolute() for path in paths if path is not None]
    if len(set(files)) < len(files):
        raise LudometerError(f"two results cannot be written into one file, {shorten(str(files[0]))}")


def write_text(path: str | Path, text: str) -> Path:
    """Write a text file in UTF-8, so that readers see the old file or the new one and never a part; raises LudometerError."""
    file = check_writable(path)
    try:
        data = text.encode()
        if file.exists() and not file.is_file():  # a device or a pipe cannot be replaced
            file.write_bytes(data)
            return file
        descriptor, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name[:40]}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, file)
        except BaseException:
            os.unlink(temporary)
            raise
    except (OSError, ValueError) as error:
        raise LudometerError(f"cannot write {shorten(str(path))}: {_reason(error)}") from error
    return file


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file; raises LudometerError."""
    try:
        return Path(path).expanduser().read_bytes().decode()
    except (OSError, ValueError, RuntimeError) as error:
        raise LudometerError(f"cannot read {shorten(str(path))}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "it is not UTF-8 text" if isinstance(error, UnicodeError) else str(error)


def _umask() -> int:
    """The process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
