"""The command line.  Each command is a module in `ludometer.commands`.

Exit status: 0; 2 and one line on standard error for wrong input; 1 for other failures (a full disk, a table that `verify` finds wrong, a
solver that contradicts itself); 130 on Ctrl-C.
With `--traceback` or `LUDOMETER_TRACEBACK=1` in the environment, the trace of an error follows its line.
With `LUDOMETER_TIMING=1` in the environment, the number of functions compiled goes to standard error at the end.
"""

from __future__ import annotations

import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ludometer import __version__
from ludometer.commands.agents import agents
from ludometer.commands.analyze import analyze
from ludometer.commands.bench import bench
from ludometer.commands.check import check
from ludometer.commands.depth import depth
from ludometer.commands.doctor import doctor
from ludometer.commands.dynamics import dynamics
from ludometer.commands.engine import engine
from ludometer.commands.games import games
from ludometer.commands.ladder import ladder
from ludometer.commands.learn import learn
from ludometer.commands.match import match
from ludometer.commands.new import app as new
from ludometer.commands.output import INTERRUPTED
from ludometer.commands.perft import perft
from ludometer.commands.play import play
from ludometer.commands.probe import probe
from ludometer.commands.rate import rate
from ludometer.commands.report import report
from ludometer.commands.reproduce import reproduce
from ludometer.commands.runs import app as runs
from ludometer.commands.serve import serve
from ludometer.commands.show import show
from ludometer.commands.solve import solve
from ludometer.commands.tables import app as tables
from ludometer.commands.tournament import tournament
from ludometer.commands.tree import tree
from ludometer.commands.verify import verify
from ludometer.commands.warm import warm
from ludometer.core.errors import Defect, LudometerError

BAD_INPUT = 2
FAILED = 1
TRACEBACK = "LUDOMETER_TRACEBACK"  # environment variable: 1 prints the trace of an error; `--traceback` in any command does the same
LONGEST_MESSAGE = 600  # characters; what was typed may be of any length
_OPTION = re.compile(r"--?[A-Za-z]|--$")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["--help", "-h"]})
COMMANDS = (
    *(games, agents, show, play, perft, tree),
    *(solve, probe, analyze, verify),
    *(match, tournament, ladder, depth, rate, report, reproduce),
    *(dynamics, learn, check, engine, bench, warm, serve, doctor),
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(tables, name="tables")
app.add_typer(runs, name="runs")
app.add_typer(new, name="new")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"ludometer {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version")] = False,
) -> None:
    """Solve, play and measure two-player games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if stream is not sys.stderr else "backslashreplace")
    words = sys.argv[1:] if arguments is None else arguments
    # A position may begin with a dash: with a space before it, it is not taken for an option.
    if "--traceback" in words:
        os.environ[TRACEBACK] = "1"
        words = [word for word in words if word != "--traceback"]
    given = [f" {word}" if word.startswith("-") and not _OPTION.match(word) else word for word in words]
    try:
        status = app(given, prog_name="ludometer", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except (LudometerError, TyperException) as error:
        print(f"ludometer: {one_line(_message(error))}", file=sys.stderr)
        _print_trace(error)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _leave_pipe()
    except SystemExit as leaving:  # how the parser reacts to a broken pipe
        return _leave_pipe() if leaving.code == FAILED else int(leaving.code or 0)
    except (OSError, Defect) as error:
        print(f"ludometer: {one_line(str(error))}", file=sys.stderr)
        return FAILED
    finally:
        _report_compilations()


def _print_trace(error: BaseException) -> None:
    """Print how an error came about, if the user asks for it."""
    if os.environ.get(TRACEBACK) == "1":
        traceback.print_exception(error)


def _message(error: Exception) -> str:
    if isinstance(error, LudometerError):
        return str(error)
    assert isinstance(error, TyperException)
    text = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{text[:1].lower()}{text[1:]}; see {context.command_path if context else 'ludometer'} --help"


def one_line(message: str) -> str:
    """A message without line ends and other unprintable characters, shortened in the middle if it is long."""
    text = "".join(character if character.isprintable() else " " if character.isspace() else "\ufffd" for character in message)
    half = LONGEST_MESSAGE // 2
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:half]} … {text[-half:]}"


def _leave_pipe() -> int:
    """Redirect standard output after its reader has closed the pipe, so that nothing more is written; returns the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _report_compilations() -> None:
    if os.environ.get("LUDOMETER_TIMING") == "1":
        loaded = sys.modules.get("ludometer.core.compiling.compilation")
        count, seconds = (loaded.compilations.count, loaded.compilations.seconds) if loaded else (0, 0.0)
        print(f"compiled {count} functions in {seconds:.1f} s", file=sys.stderr)
