"""The house: imports go one way, generic code names no game, and the map in the documents is the real one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "ludometer"

# Each folder and what it may import from this package beside itself, also inside functions.
MAY_IMPORT = {
    "core": set(),
    "games": {"core"},
    "solve": {"core", "games"},
    "agents": {"core", "games", "solve"},
    "bridges": {"core", "games", "agents", "solve"},
    "arena": {"core", "games", "agents", "solve"},
    "dynamics": {"core", "games"},
    "view": {"core", "games", "agents", "solve", "arena", "dynamics"},
    "studies": {"core", "games", "agents", "solve", "bridges", "arena", "dynamics", "view"},
    "web": {"core", "games", "agents", "solve", "bridges", "arena", "dynamics", "view", "studies"},
    "commands": {"core", "games", "agents", "solve", "bridges", "arena", "dynamics", "view", "studies", "web"},
}
TOP = {"__init__", "version"}  # what everybody may import of the package itself


def folders() -> list[str]:
    return sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """(line, full module name) of everything of this package that a file imports, wherever in it; for type checkers only is left out."""
    tree = ast.parse(file.read_text())
    for_types = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test).rpartition(".")[2] == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "ludometer" else [str(node.module)]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.partition(".")[0] == "ludometer")


@pytest.mark.parametrize("folder", folders())
def test_imports_go_one_way(folder: str) -> None:
    allowed = MAY_IMPORT[folder] | {folder}
    wrong = []
    for file in sorted((PACKAGE / folder).rglob("*.py")):
        for line, name in imported(file):
            part = (name.split(".") + [""])[1]
            if part in folders() and part not in allowed:
                wrong.append(f"{file.relative_to(ROOT)}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_generic_code_imports_no_game() -> None:
    """Only games themselves, the bridges (which translate to other systems' games) and studies may name one."""
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.relative_to(PACKAGE).parts[0] not in ("games", "bridges", "studies", "dynamics", "demo.py")
        for line, name in imported(file)
        if re.match(r"ludometer\.games\.\w", name)
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_imports_the_command_line() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.name != "__main__.py"
        for line, name in imported(file)
        if name == "ludometer.cli"
    ]
    assert not wrong, "\n".join(wrong)


def test_the_map_shows_every_folder_and_no_other() -> None:
    text = (ROOT / "docs" / "README.md").read_text()
    tree = re.search(r"    ludometer/\n((?:      +\S.*\n)+)", text)
    assert tree is not None, "docs/README.md has the tree of folders"
    shown = re.findall(r"^      (\w+)/ ", tree[1], re.MULTILINE)
    assert sorted(shown) == folders()


def test_every_document_is_on_the_map() -> None:
    text = (ROOT / "docs" / "README.md").read_text()
    missing = [str(file.relative_to(ROOT / "docs")) for file in sorted((ROOT / "docs").rglob("*.md")) if file.name != "README.md"]
    assert [name for name in missing if f"]({name})" not in text] == []


def test_links_in_the_documents_lead_somewhere() -> None:
    broken = []
    for file in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", file.read_text()):
            if "://" not in target and not (file.parent / target).exists():
                broken.append(f"{file.relative_to(ROOT)}: {target}")
    assert not broken, "\n".join(broken)


def module_named(path: str) -> Path | None:
    """The file that a document means by such a path."""
    return next((place / path for place in (PACKAGE, ROOT, PACKAGE / "solve") if (place / path).is_file()), None)


def test_modules_and_functions_that_the_documents_name_are_there() -> None:
    """`solve/tiles/kernels.py`, and `push_wins` in it: a reader who follows a hint arrives."""
    wrong, followed = [], 0
    for file in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = file.read_text()
        for path in re.findall(r"`([a-z][\w]*(?:/\w+)+\.py)`", text):
            is_made_up = "NAME" in path or path.startswith("path/") or file.name.startswith("adding-")
            if not is_made_up and module_named(path) is None:
                wrong.append(f"{file.relative_to(ROOT)}: {path}")
        for name, path in re.findall(r"`(\w+)(?:\([^`]*\))?`\s+in\s+`((?:\w+/)+\w+\.py)`", text):
            followed += 1
            found = module_named(path)
            if found is None or not re.search(rf"^(def|class) {name}\b|^{name}\b.*=", found.read_text(), re.MULTILINE):
                wrong.append(f"{file.relative_to(ROOT)}: {name} in {path}")
    assert not wrong, "\n".join(wrong)
    assert followed, "docs/solving.md says where a distance is computed"
