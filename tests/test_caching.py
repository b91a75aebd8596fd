"""Compiled code is kept between runs and is never that of older sources."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.compile  # every test starts processes

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "connect_three.py"

# Plays, looks and counts at each of the games named on the command line, and says what came out.
WORK = """
import json, sys
import ludometer
from ludometer.core.compiling.compilation import compilations
from ludometer.games import game
from ludometer.solvers.perft import perft

counts = {}
for spec in sys.argv[1:]:
    position = game(spec).start()
    position = position.play(position.legal[0])
    position.key, position.transformed(position.symmetry_count - 1), position.transformed_move(0, 0)
    counts[spec] = [perft(game(spec).start(), depth) for depth in (1, 2, 3)]
print(json.dumps({"counts": counts, "compiled": compilations.count, "package": ludometer.__file__}))
"""


class Place:
    """A cache of its own, and runs of Python that use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"

    def start(self, code: str, *arguments: str, path: Path = ROOT, cache: Path | None = None) -> subprocess.Popen[str]:
        # Python's own bytecode files are left out: they go by time and size, and a test edits faster than the clock ticks.
        settings = {
            "LUDOMETER_CACHE": str(cache or self.cache),
            "PYTHONPATH": os.pathsep.join((str(path), str(ROOT))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.Popen(
            command, env={**os.environ, **settings}, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def run(self, code: str, *arguments: str, path: Path = ROOT, cache: Path | None = None) -> tuple[str, str]:
        """What a run prints on standard output and standard error."""
        process = self.start(code, *arguments, path=path, cache=cache)
        output, messages = process.communicate(timeout=300)
        assert process.returncode == 0, messages
        return output, messages

    def work(self, *specs: str, path: Path = ROOT) -> tuple[dict[str, list[int]], int]:
        """(perft counts by spec, number of functions compiled)."""
        report = json.loads(self.run(WORK, *specs, path=path)[0])
        assert Path(report["package"]).is_relative_to(path if (path / "ludometer").exists() else ROOT)
        return report["counts"], report["compiled"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def edit(file: Path, old: str, new: str) -> None:
    """Replace the one place where `old` stands, and put the file's time back: only the content tells."""
    text = file.read_text()
    assert text.count(old) == 1
    times = file.stat()
    file.write_text(text.replace(old, new))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def reword(file: Path, old: str, new: str) -> None:
    """Replace the first match of a pattern, in a docstring or a message, and add a comment at the end."""
    text, count = re.subn(old, new, file.read_text(), count=1)
    assert count == 1, f"{file} has no {old}"
    compile(text, file, "exec")
    file.write_text(f"{text}# a remark\n")


def copy_package(folder: Path) -> Path:
    """A copy of the whole package, to be edited; returns what PYTHONPATH needs."""
    shutil.copytree(ROOT / "ludometer", folder / "copy" / "ludometer", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "copy"


def test_a_second_run_compiles_nothing(place: Place) -> None:
    first = place.work("quixo:3")
    second = place.work("quixo:3")
    assert first[1] > 0 and second[1] == 0
    assert first[0] == second[0] == {"quixo:3": [20, 356, 6332]}
    assert place.work("quixo:2")[1] == 0, "rules of the same type share compiled code"


def test_what_else_was_done_before_does_not_matter(place: Place) -> None:
    """Imports inside functions, such as the drawing code's, come and go from run to run; the cache is found all the same."""
    assert place.work("quixo:3")[1] > 0
    drawing_first = "from ludometer.games import game; game('quixo:3').start().svg()\n"
    report = json.loads(place.run(drawing_first + WORK, "quixo:3")[0])
    assert report["compiled"] == 0


def test_an_edited_game_file_runs_as_edited(place: Place) -> None:
    file = place.folder / "drop.py"
    shutil.copy(EXAMPLE, file)
    assert place.work(str(file))[0] == {str(file): [3, 9, 27]}
    edit(file, "for column in range(3):", "for column in range(2):")  # same size, same time
    assert place.work(str(file))[0] == {str(file): [2, 4, 8]}
    edit(file, "for column in range(2):", "for column in range(3):")
    counts, compiled = place.work(str(file))
    assert counts == {str(file): [3, 9, 27]}
    assert compiled == 0, "what was compiled for these very sources is still there"


def test_an_edit_in_a_module_the_game_imports(place: Place) -> None:
    """However it is imported: plainly, in a bracketed list with remarks, from a package, one import further on."""
    text = EXAMPLE.read_text()
    for name in ("width", "wide_package", "farther"):
        text = text.replace("from ludometer.core.bits", f"import_of_{name}\nfrom ludometer.core.bits", 1)
    text = text.replace("import_of_width", "import width")
    text = text.replace("import_of_wide_package", "from wide_package import (\n    nothing,  # a remark, and then more\n    inner,\n)")
    text = text.replace("import_of_farther", "from near import FARTHER")
    text = text.replace("for column in range(3):", "for column in range(width.WIDTH - inner.CUT - FARTHER):")
    file = place.folder / "drop.py"
    file.write_text(text)
    (place.folder / "width.py").write_text("WIDTH = 3\n")
    (place.folder / "wide_package").mkdir()
    for name, content in (("__init__", ""), ("nothing", ""), ("inner", "CUT = 0\n")):
        (place.folder / "wide_package" / f"{name}.py").write_text(content)
    (place.folder / "near.py").write_text("from far import FARTHER\n")
    (place.folder / "far.py").write_text("FARTHER = 0\n")

    def counts() -> list[int]:
        return place.work(str(file), path=place.folder)[0][str(file)]

    assert counts() == [3, 9, 27]
    for edited, old, new in (("width", "3", "2"), ("wide_package/inner", "0", "1"), ("far", "0", "1")):
        edit(place.folder / f"{edited}.py", old, new)
        assert counts() == [2, 4, 8], f"{edited}.py was edited"
        edit(place.folder / f"{edited}.py", new, old)


def test_a_table_read_from_a_file_counts_as_source(place: Place) -> None:
    text = EXAMPLE.read_text().replace("class ConnectThreeRules", "COLUMNS = np.load('columns.npy')\n\n\nclass ConnectThreeRules")
    file = place.folder / "drop.py"
    file.write_text(text.replace("for column in range(3):", "for column in COLUMNS:"))
    np.save(place.folder / "columns.npy", np.array([0, 1, 2]))
    assert place.work(str(file))[0] == {str(file): [3, 9, 27]}
    np.save(place.folder / "columns.npy", np.array([0, 1, 1])[:2])
    assert place.work(str(file))[0] == {str(file): [2, 4, 8]}


def test_edits_in_the_package(place: Place) -> None:
    """Edits in rules, in generic code and in what both import change results at once; other games keep their code."""
    package = copy_package(place.folder)
    right = {"quixo:3": [20, 356, 6332], "tictactoe": [9, 72, 504]}
    assert place.work(*right, path=package)[0] == right

    rules = package / "ludometer" / "games" / "quixo" / "rules.py"
    edit(rules, "return 3 * popcount(takable) - popcount(corners)", "return 1 * popcount(takable) - popcount(corners)")
    counts, compiled = place.work("tictactoe", path=package)
    assert (counts, compiled) == ({"tictactoe": right["tictactoe"]}, 0), "another game's edit costs a game nothing"
    assert place.work("quixo:3", path=package)[0]["quixo:3"][0] == 4  # eight cubes, less four corners
    edit(rules, "return 1 * popcount(takable) - popcount(corners)", "return 3 * popcount(takable) - popcount(corners)")

    kernel = package / "ludometer" / "solvers" / "perft.py"
    edit(kernel, "nodes = np.int64(0)", "nodes = np.int64(7)")
    assert place.work("quixo:3", path=package)[0]["quixo:3"][1] == 356 + 7
    edit(kernel, "nodes = np.int64(7)", "nodes = np.int64(0)")

    shared = package / "ludometer" / "core" / "bits.py"
    edit(shared, "return np.int64((word * _BYTES) >> _U56)", "return np.int64((word * _BYTES) >> _U56) * 2")
    assert place.work("quixo:3", path=package)[0]["quixo:3"][0] == 40


# A stored match, solved tables and compiled code, as one command after the other finds them.
MEASURE = """
import json, sys
import ludometer as lm
from ludometer.arena.work.scheduler import do_chunk
from ludometer.arena.work import scheduler
from ludometer.core.compiling.compilation import compilations
from ludometer.core.errors import LudometerError

chunks = []
scheduler.do_chunk = lambda *arguments: (chunks.append(arguments), do_chunk(*arguments))[1]
result = lm.match("tictactoe", "random", "mcts:5", games=20, seed=1, execution=lm.Execution("experiments.sqlite", workers=1))
try:
    solved = str(lm.open_solution("tictactoe", "tables").value(lm.game("tictactoe").start()).outcome)
except LudometerError as error:
    solved = str(error)
print(json.dumps({"score": result.score, "chunks": len(chunks), "compiled": compilations.count, "solved": solved}))
"""


def test_words_cost_nothing_and_rules_cost_all(place: Place) -> None:
    """A comment, a docstring or a message never recompiles, nor does it orphan an experiment or a table; a changed rule does all three."""
    package = copy_package(place.folder)

    def measured() -> dict[str, object]:
        found: dict[str, object] = json.loads(place.run(MEASURE, path=package)[0])
        return found

    place.run("import ludometer as lm; lm.solve('tictactoe', tables='tables')", path=package)
    first = measured()
    assert first["chunks"] and first["solved"] == "0"
    nothing = {**first, "chunks": 0, "compiled": 0}
    assert measured()["chunks"] == 0  # reading stored arrays compiles for arrays that cannot be written
    assert measured() == nothing

    inside = package / "ludometer"
    rules = inside / "games" / "mnk" / "rules.py"
    for worded in ("__init__.py", "core/errors.py", "solvers/solvable.py", "games/mnk/rules.py", "agents/mcts_kernels.py"):
        reword(inside / worded, r'"""', r'"""In other words: ')
    for worded in ("solvers/forecasts.py", "games/mnk/rules.py"):
        reword(inside / worded, r'((?:Error|\.wrong)\([^()"]*f?")', r"\1in other words: ")
    edit(rules, "def play(rules, state, move):\n", 'def play(rules, state, move):\n    """The mover puts a mark."""  # a remark\n')
    assert measured() == nothing

    evaluation = inside / "games" / "mnk" / "evaluation.py"
    edit(evaluation, "    return np.float64(value)", "    return np.float64(value + 1)")
    taught = measured()
    assert (taught["chunks"], taught["solved"]) == (first["chunks"], "0"), "agents decide by evaluations, tables do not depend on them"
    edit(evaluation, "    return np.float64(value + 1)", "    return np.float64(value)")
    assert measured() == nothing

    store = place.folder / "experiments.sqlite"
    store.unlink()
    assert measured() == {**first, "compiled": 0}, "the same games from the code that was compiled before the rewording"
    edit(inside / "agents" / "mcts_kernels.py", "CHECK_INTERVAL = 8 ", "CHECK_INTERVAL = 9 ")
    store.unlink()
    constant = measured()
    assert constant["compiled"] and {**constant, "compiled": first["compiled"]} == first, "a constant is code, but no rule"

    edit(rules, "        return DRAW\n", "        return LOSS\n")
    changed = measured()
    assert changed["chunks"] == first["chunks"] and changed["compiled"]
    assert "other rules" in str(changed["solved"])


def test_runs_at_the_same_time(place: Place) -> None:
    """Processes that compile the same kernels together, for equal and for different signatures, spoil nothing."""
    specs = ["tictactoe", "mnk:15,15,5", "tictactoe", "mnk:15,15,5"]
    processes = [place.start(WORK, spec) for spec in specs]
    outputs = [process.communicate(timeout=300) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(specs), outputs
    results = [json.loads(output)["counts"] for output, _ in outputs]
    right = {"tictactoe": [9, 72, 504], "mnk:15,15,5": [225, 225 * 224, 225 * 224 * 223]}
    assert results == [{spec: right[spec]} for spec in specs]
    assert place.work(*right) == (right, 0)
    assert not list(place.cache.rglob("*.part"))


def test_damaged_files_are_not_used(place: Place) -> None:
    right = place.work("quixo:3")[0]
    files = [file for file in place.cache.rglob("*") if file.is_file()]
    assert files
    for number, file in enumerate(files):
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] if number % 2 else content[:100] + b"?" + content[101:])
    counts, compiled = place.work("quixo:3")
    assert counts == right and compiled > 0
    assert place.work("quixo:3") == (right, 0), "damaged files are replaced"


def test_a_folder_that_cannot_be_written(place: Place) -> None:
    (place.folder / "file").write_text("in the way")
    output, messages = place.run(WORK, "quixo:3", cache=place.folder / "file" / "cache")
    assert json.loads(output)["counts"] == {"quixo:3": [20, 356, 6332]}
    lines = messages.splitlines()
    assert len(lines) == 2 and lines[0].startswith("ludometer: compiling")
    assert "cannot be kept" in lines[1] and "LUDOMETER_CACHE" in lines[1]


def test_code_without_a_source_file_is_not_kept(place: Place) -> None:
    """What is typed into a notebook differs from what was typed yesterday under the same name."""
    typed = textwrap.dedent("""
        from ludometer.core.compiling.compilation import kernel
        @kernel
        def add(number):
            return number + {constant}
        print(add(1))
    """)
    assert place.run(typed.format(constant=1))[0] == "2\n"
    assert place.run(typed.format(constant=2))[0] == "3\n"
    assert not place.cache.exists()


def test_a_reloaded_module_runs_as_edited(place: Place) -> None:
    (place.folder / "adding.py").write_text(
        "from ludometer.core.compiling.compilation import kernel\n\n@kernel\ndef add(number):\n    return number + 1\n"
    )
    code = textwrap.dedent("""
        import importlib, pathlib, adding
        first = adding.add(1)
        file = pathlib.Path(adding.__file__)
        file.write_text(file.read_text().replace("number + 1", "number + 5"))
        importlib.reload(adding)
        print(first, adding.add(1))
    """)
    assert place.run(code, path=place.folder)[0] == "2 6\n"


def test_old_folders_are_removed(place: Place) -> None:
    place.work("quixo:3")
    folders = sorted(place.cache.iterdir())
    os.utime(folders[0], (1, 1))
    code = "from ludometer.core.compiling.compilation import remove_old_caches; print(remove_old_caches())"
    assert place.run(code)[0] == "1\n"
    assert sorted(place.cache.iterdir()) == folders[1:]


def test_the_first_compilation_is_announced_once(place: Place) -> None:
    _, messages = place.run(WORK, "quixo:3", "tictactoe")
    assert messages.splitlines() == ["ludometer: compiling for the first time here; later runs start at once"]
    assert place.run(WORK, "quixo:3")[1] == ""


@pytest.mark.parametrize(
    "code", ["import ludometer", "from ludometer import games; games.kinds()", "from ludometer import agents; agents.kinds()"]
)
def test_importing_loads_no_compiler_and_hardly_anything_else(code: str, place: Place) -> None:
    """What takes long is other packages; `ludometer bench starting` says how long."""
    others = "{name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - before"
    loaded = place.run(f"import sys; before = {{name.partition('.')[0] for name in sys.modules}}; {code}; print(*sorted({others}))")[0]
    assert set(loaded.split()) <= {"ludometer", "numpy"} if "agents" in code else loaded.split() == ["ludometer"]
