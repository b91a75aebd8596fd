"""Errors of the compiler in one line: file, line, function, cause, cure.

With `LUDOMETER_TRACEBACK=1` in the environment, or `--traceback` on the command line, the whole report of the compiler follows.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable
from pathlib import Path

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_OWN = (str(Path(__file__).parents[2]), "numba")  # places in these are not the user's, unless there is no other

_CAUSES: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"NameError: (?:global )?name '(\w+)' is not defined", lambda found: f"{found[1]} is not defined; import it or correct its name"),
    (
        r"Untyped global name '(\w+)':? *.*?Cannot determine Numba type of <class 'function'>",
        lambda found: f"{found[1]} is a plain Python function; write @njit above its definition",
    ),
    (
        r"Untyped global name '(\w+)'.*?<class '([\w.]+)'>",
        lambda found: f"{found[1]} is a {found[2]}, which compiled code cannot read; make it a NumPy array, a tuple or a number",
    ),
    (r"Unknown attribute '(\w+)'", lambda found: f"there is no field or method {found[1]}; correct its name"),
    (
        r"(?i)reflected list|cannot infer the type of variable '[^']*'.*?\blist\b|list\(undefined\)|build_list|ListType|empty list",
        lambda found: "a list in compiled code; write moves into the buffer, or use a tuple or a NumPy array",
    ),
    (r"(?i)build_map|DictType|dict\(undefined\)|\bdict\b", lambda found: "a dict in compiled code; use a NumPy array or a tuple"),
    (
        r"Cannot unify ([\w.]+)\(([^)]*)\) and [\w.]+\(([^)]*)\) for",
        lambda found: (
            f"fields of {found[1].rpartition('.')[2]} are not always uint64 ({_first_other(found[2], found[3])}); "
            "write np.uint64(…) around what play computes, and U0, U1 for 0 and 1"
        ),
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '([^']+)'",
        lambda found: (
            f"{found[3]} is {_type(found[1])} in one place and {_type(found[2])} in another; use U0, U1 and np.uint64(…) throughout"
        ),
    ),
    (
        r"Can't unify return type from the following types: ([^\n]+)",
        lambda found: "it returns values of different types; use U0, U1 and np.uint64(…) throughout, and return on every path",
    ),
    (
        r"No implementation of function Function\(<built-in function (\w+)>\) found for signature:\s+>>> \w+\(([^)]*)\)",
        lambda found: (
            f"{found[1]} of {_type(found[2])} is not possible; write np.uint64(…) around whole numbers that meet bits of the state"
        ),
    ),
    (
        r"(?i)cannot determine numba type of <class '([\w.]+)'>",
        lambda found: f"a {found[1]} reaches compiled code, which takes numbers and tuples",
    ),
    (
        r"(?i)unsupported opcode|does not support|not supported",
        lambda found: "compiled code does not know this statement; see docs/adding-a-game.md",
    ),
    (r"IndexError: ([^\n]+)", lambda found: found[1]),
)


def explain(error: BaseException) -> str:
    """A compiler's error in one line: the place in the user's file, the cause and the cure."""
    text = _COLOUR.sub("", str(error))
    cause = next((say(found) for pattern, say in _CAUSES if (found := re.search(pattern, text, re.DOTALL))), _first_line(text))
    place = _place(text) or _place_by_name(text)
    return f"{place}: {cause}" if place else cause


def _place(text: str) -> str:
    """`my_game.py, line 42, in play`; empty if the report names no file."""
    found = [(file, int(line)) for file, line in _PLACE.findall(text)]
    own = [(file, line) for file, line in found if not any(part in str(Path(file).resolve()) for part in _OWN)]
    return _written(Path(own[-1][0]), own[-1][1]) if own else ""


def _place_by_name(text: str) -> str:
    """The place in a file of the user's own where an undefined name is used, or the function that a state of several types comes from."""
    name = re.search(r"NameError: (?:global )?name '(\w+)' is not defined", text)
    for module in [module for key, module in list(sys.modules.items()) if key.startswith(("ludometer_game_", "ludometer_agent_"))]:
        if module.__name__ not in text and name is None:
            continue
        file = Path(str(module.__file__))
        for node in ast.walk(_tree(file)):
            if name is not None and isinstance(node, ast.Name) and node.id == name[1]:
                return _written(file, node.lineno)
            if name is None and isinstance(node, ast.FunctionDef) and node.name == "play":
                return _written(file, node.lineno)
    return ""


def _written(file: Path, line: int) -> str:
    function = _function_at(file, line)
    return f"{file.name}, line {line}{f', in {function}' if function else ''}"


def _tree(file: Path) -> ast.Module:
    """The syntax tree of a file; empty if it cannot be read."""
    try:
        return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return ast.Module([], [])


def _function_at(file: Path, line: int) -> str:
    """The innermost function of a file around this line; empty if there is none."""
    functions = [node for node in ast.walk(_tree(file)) if isinstance(node, ast.FunctionDef)]
    around = [node for node in functions if node.lineno - 1 <= line <= (node.end_lineno or node.lineno)]
    return max(around, key=lambda node: node.lineno).name if around else ""


def _first_other(one: str, two: str) -> str:
    """The first type in two lists of types that is not uint64."""
    words = re.findall(r"\b(?:int|float|uint|bool|complex)[a-z]*\d*\b", f"{one},{two}")
    return next((word for word in words if word != "uint64"), "several types")


def _type(text: str) -> str:
    """Types as the compiler writes them, shortened."""
    short = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", text)
    return short if len(short) <= 60 else f"{short[:57]}…"


def _first_line(text: str) -> str:
    """The first line of a report that says something."""
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Failed in", "During:", "File ", "-", "^", "Invalid use of"))]
    return said[0][:200] if said else "the compiler gives no reason"
