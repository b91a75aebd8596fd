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
    "solvers": {"core", "games"},
    "agents": {"core", "games", "solvers"},
    "bridges": {"core", "games", "agents", "solvers"},
    "arena": {"core", "games", "agents", "solvers"},
    "dynamics": {"core", "games"},
    "checks": {"core", "games", "agents", "arena"},
    "view": {"core", "games", "agents", "solvers", "arena", "dynamics"},
    "studies": {"core", "games", "agents", "solvers", "bridges", "arena", "dynamics", "view"},
    "web": {"core", "games", "agents", "solvers", "bridges", "arena", "dynamics", "view", "studies"},
    "commands": {"core", "games", "agents", "solvers", "bridges", "arena", "dynamics", "view", "studies", "web", "checks"},
}

# Inside a package: each part and the parts of the same package that it may import beside itself.
PARTS = {
    "arena": {
        "statistics": set(),
        "play": set(),
        "work": set(),
        "measurements": {"statistics", "play", "work"},
        "experiments": {"statistics", "play", "work", "measurements"},
    },
    "core": {"compiling": set(), "protocol": {"compiling"}},
    "web": {"play": set(), "jobs": set(), "api": {"play", "jobs"}},
    "view": {"boards": set(), "dynamics": {"boards", "results"}, "results": {"boards"}},
}

# Imports against the direction, allowed inside functions only: results and positions that present themselves, and specs that name a game.
UPWARD = {
    "agents/uct.py": {"ludometer.arena.experiments.reference_scales"},
    "agents/__init__.py": {"ludometer.bridges", "ludometer.studies.agents"},
    "arena/experiments/depth.py": {"ludometer.view.results.scales"},
    "arena/experiments/ladder.py": {"ludometer.view.results.ladders"},
    "arena/experiments/match.py": {"ludometer.view.results.matches"},
    "arena/experiments/rating.py": {"ludometer.view.results.levels"},
    "arena/experiments/report.py": {"ludometer.view.results.reports", "ludometer.view.results.report_pages"},
    "arena/experiments/tournament.py": {"ludometer.view.results.tournaments"},
    "arena/measurements/accuracy.py": {"ludometer.view.results.measurements"},
    "arena/measurements/selfplay.py": {"ludometer.view.results.measurements"},
    "arena/play/turn_reports.py": {"ludometer.view.results.turn_reports"},
    "arena/work/store.py": {"ludometer.view.results.runs"},
    "core/game.py": {"ludometer.games"},
    "core/position.py": {"ludometer.view.boards.svg", "ludometer.view.boards.terminal"},
    "core/record.py": {"ludometer.games", "ludometer.view.results.records"},
    "dynamics/dominance.py": {"ludometer.view.dynamics.text"},
    "dynamics/equilibria.py": {"ludometer.view.dynamics.text"},
    "dynamics/learners.py": {"ludometer.view.dynamics.text", "ludometer.view.dynamics.plots"},
    "solvers/solution.py": {"ludometer.view.results.solutions"},
    "dynamics/portrait.py": {"ludometer.view.dynamics", "ludometer.view.dynamics.text", "ludometer.view.dynamics.plots"},
}


def folders() -> list[str]:
    return sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file())


def imported(file: Path, anywhere: bool = True) -> Iterator[tuple[int, str]]:
    """(line, full module name) of this package's modules that a file imports, in functions as well unless told otherwise.

    Imports for type checkers are left out.
    """
    tree = ast.parse(file.read_text())
    for_types = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test).rpartition(".")[2] == "TYPE_CHECKING"
        for node in ast.walk(branch)
    }
    in_functions = {
        node
        for function in ast.walk(tree)
        if not anywhere and isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if node in for_types or node in in_functions:
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
            if part in folders() and part not in allowed and name not in UPWARD.get(str(file.relative_to(PACKAGE)), ()):
                wrong.append(f"{file.relative_to(ROOT)}:{line} imports {name}")
    assert not wrong, "\n".join(wrong)


def test_imports_against_the_direction_are_lazy_and_needed() -> None:
    for path, names in UPWARD.items():
        assert not names & {name for _, name in imported(PACKAGE / path, anywhere=False)}, f"{path} imports these when it is loaded"
        assert names == names & {name for _, name in imported(PACKAGE / path)}, f"{path} no longer imports all of these"


@pytest.mark.parametrize(("package", "part"), [(package, part) for package, parts in PARTS.items() for part in parts])
def test_parts_of_a_package_import_one_way(package: str, part: str) -> None:
    allowed = PARTS[package][part] | {part}
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in sorted((PACKAGE / package / part).rglob("*.py"))
        for line, name in imported(file)
        if (found := re.match(rf"ludometer\.{package}\.(\w+)", name)) and found[1] in PARTS[package] and found[1] not in allowed
    ]
    assert not wrong, "\n".join(wrong)


def test_generic_code_imports_no_game() -> None:
    """Only games themselves, the bridges (which translate to other systems' games) and studies may name one."""
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.relative_to(PACKAGE).parts[0] not in ("games", "bridges", "studies", "dynamics", "demo.py")
        and file.relative_to(PACKAGE).parts[:2] != ("view", "dynamics")
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
    return next((place / path for place in (PACKAGE, ROOT, PACKAGE / "solvers") if (place / path).is_file()), None)


def test_modules_and_functions_that_the_documents_name_are_there() -> None:
    """`solvers/tiles/kernels.py`, and `push_wins` in it: a reader who follows a hint arrives."""
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


def test_functions_without_types_are_compiled_ones() -> None:
    """A module of compiled functions says `# mypy: allow-untyped-defs, no-check-untyped-defs`; in all others every function has types."""
    wrong = []
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text()
        if "# mypy: allow-untyped-defs" in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                arguments = [
                    each for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs) if each.arg not in ("self", "cls")
                ]
                if any(each.annotation is None for each in arguments) or not (node.returns or arguments or node.name == "__init__"):
                    wrong.append(f"{file.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert not wrong, "\n".join(wrong)
