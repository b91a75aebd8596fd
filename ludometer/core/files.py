"""Atomic writes of files: into a temporary file beside the target, which is then renamed."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ludometer.core.errors import LudometerError, shorten


def check_writable(path: str | Path) -> Path:
    """The path, if a file can be written there; raises LudometerError.  Call it before long work whose result goes there."""
    if not str(path):
        raise LudometerError("the name of a file to write is empty")
    try:
        if "\0" in str(path):
            raise ValueError("its name has a zero byte in it")
        file = Path(path).expanduser()
        folder = file.parent
        if file.is_dir():
            raise LudometerError(f"cannot write {shorten(str(path))}: it is a folder")
        if not folder.is_dir():
            raise LudometerError(f"cannot write {shorten(str(path))}: there is no folder {shorten(str(folder))}")
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise LudometerError(f"cannot write {shorten(str(path))}: permission denied")
    except (OSError, ValueError, RuntimeError) as error:  # a name too long, or of an unknown user
        raise LudometerError(f"cannot write {shorten(str(path))}: {reason(error)}") from error
    return file


def check_outputs(*paths: str | None) -> None:
    """Raise LudometerError unless all of these files (None: not written) are different and can be written."""
    files = [check_writable(path).absolute() for path in paths if path is not None]
    if len(set(files)) < len(files):
        raise LudometerError(f"two results cannot be written into one file, {shorten(str(files[0]))}")


@contextmanager
def replacing(file: Path, durable: bool = False) -> Iterator[BinaryIO]:
    """A stream into a new file that replaces `file` when the block ends without an error: readers see the old file or the whole new one.

    The temporary name, .NAME.….part beside the target, is unique to this write.  After an error or a kill the old file is intact; only a
    kill leaves the temporary file behind.  `durable` waits until the bytes are on the disk.  Raises OSError.
    """
    temporary = file.with_name(f".{file.name[:40]}.{uuid.uuid4().hex[:16]}.part")
    try:
        with open(temporary, "xb") as stream:
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        os.replace(temporary, file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: str | Path, text: str) -> Path:
    """Write a text file in UTF-8, atomically; raises LudometerError."""
    return write_with(path, lambda stream: stream.write(text.encode()))


def write_with(path: str | Path, write: Callable[[BinaryIO], object]) -> Path:
    """Write a file with `write(stream)`, atomically; raises LudometerError."""
    file = check_writable(path)
    try:
        if file.exists() and not file.is_file():  # a device or a pipe cannot be replaced
            with open(file, "wb") as stream:
                write(stream)
        else:
            with replacing(file) as stream:
                write(stream)
    except (OSError, UnicodeError) as error:
        raise LudometerError(f"cannot write {shorten(str(path))}: {reason(error)}") from error
    return file


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file; raises LudometerError."""
    try:
        return Path(path).expanduser().read_bytes().decode()
    except (OSError, ValueError, RuntimeError) as error:
        raise LudometerError(f"cannot read {shorten(str(path))}: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Why a file could not be read or written, in the system's words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "it is not UTF-8 text" if isinstance(error, UnicodeError) else str(error)
