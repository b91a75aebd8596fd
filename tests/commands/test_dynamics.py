"""`ludometer dynamics`: what it prints, draws and refuses."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from ludometer.games.matrix.nfg import load_nfg

FEW = ("--runs", "60", "--episodes", "300")


def test_json_has_what_people_script_against(run_json) -> None:
    answer = run_json("dynamics", "matrix:sexes", *FEW)
    assert [one["exact"] for one in answer["equilibria"]] == [
        {"row": ["1", "0"], "column": ["1", "0"]},
        {"row": ["0", "1"], "column": ["0", "1"]},
        {"row": ["3/5", "2/5"], "column": ["2/5", "3/5"]},
    ]
    assert all({"row", "column", "exact", "payoffs", "pareto"} <= set(one) for one in answer["equilibria"])
    assert [one["pareto"] for one in answer["equilibria"]] == [True, True, False]
    assert answer["equilibria"][2]["payoffs"] == [1.2, 1.2]
    mixed = answer["rest_points"][-1]
    assert {"row", "column", "kind", "eigenvalues"} <= set(mixed)
    assert (mixed["row"], mixed["column"], mixed["kind"], mixed["eigenvalues"]) == ([0.6, 0.4], [0.4, 0.6], "saddle", [1.2, -1.2])
    assert {"source", "times", "row", "column"} <= set(answer["trajectories"][0])
    assert {path["source"] for path in answer["trajectories"]} >= {"field", "mean of learners", "learner 0"}
    assert sum(end["runs"] for end in answer["learners"]["ends"]) == 60
    assert (answer["game"], answer["payoffs"]["row"]) == ("matrix:sexes", [["3", "0"], ["0", "2"]])


def test_complex_eigenvalues_and_one_population(run_json) -> None:
    answer = run_json("dynamics", "matrix:brps", "--populations", "1", "--learners", "none")
    centre = answer["rest_points"][-1]
    assert centre["kind"] == "centre" and centre["exact"]["row"] == ["1/16", "5/8", "5/16"]
    assert [round(part, 6) for part in centre["eigenvalues"][0]] == [0, 0.088388]
    assert answer["value"] == {"exact": "0", "number": 0.0} and "learners" not in answer


def test_text_shows_the_table_first(run) -> None:
    status, out, err = run("dynamics", "3,2 0,0; 0,0 2,3", "--profile", "1 1", *FEW)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[:5] == ["matrix:3,2 0,0; 0,0 2,3", "", "     1    2", "1  3,2  0,0", "2  0,0  2,3"]
    assert "3/5 #1 + 2/5 #2  |  2/5 #1 + 3/5 #2   pays 6/5, 6/5" in out
    assert "at #1 | #1: a best reply gains the row player 0, the column player 0; NashConv 0: a Nash equilibrium" in out


def test_the_study_s_paper_is_no_equilibrium(run_json, run) -> None:
    assert run_json("dynamics", "matrix:brps", "--profile", "P P", *FEW)["profile"]["exact"] == "1/10"
    assert "NashConv 1/10: not a Nash equilibrium" in run("dynamics", "matrix:brps", "--profile", "P P", *FEW)[1]


def test_settings_reach_the_learners(run_json) -> None:
    greedy = run_json("dynamics", "matrix:prisoners", "--epsilon", "0.2", "--gamma", "0.3", "--q0", "-4,4", "--alpha", "0.1", *FEW)[
        "learners"
    ]
    assert greedy["kind"] == "greedy" and greedy["epsilon"] == {"first": 0.2, "last": 0.2, "growth": 0.0}
    assert (greedy["gamma"], greedy["q0"], greedy["alpha"]) == (0.3, [-4, 4], 0.1)
    lenient = run_json("dynamics", "matrix:stag", "--tau", "0.3", "--kappa", "5", *FEW)
    assert (lenient["dynamics"]["kind"], lenient["dynamics"]["kappa"]) == ("boltzmann", 5)
    assert (lenient["learners"]["kind"], lenient["learners"]["kappa"], lenient["learners"]["tau"]) == ("faq", 5, 0.3)
    study = run_json("dynamics", "matrix:stag", "--learners", "boltzmann", *FEW)["learners"]
    assert study["tau"] == {"first": 80.0, "last": 0.01, "fall": 0.01}
    assert run_json("dynamics", "matrix:stag", "--as-printed", *FEW)["learners"]["epsilon"]["growth"] == 0.001


@pytest.mark.parametrize(
    ("options", "dynamics", "learners"),
    [
        ((), "replicator", "cross"),
        (("--learners", "faq"), "boltzmann", "faq"),
        (("--tau", "0.5"), "boltzmann", "faq"),
        (("--learners", "faq", "--dynamics", "replicator"), "replicator", "faq"),
        (("--gamma", "0.3"), "replicator", "greedy"),
    ],
)
def test_dynamics_and_learners_go_together(run_json, options: tuple[str, ...], dynamics: str, learners: str) -> None:
    """Where one of them says nothing of the other, the learners are those that follow the dynamics."""
    found = run_json("dynamics", "matrix:stag", *options, *FEW)
    assert (found["dynamics"]["kind"], found["learners"]["kind"]) == (dynamics, learners)


def test_the_seed_decides(run_json) -> None:
    def ask(*arguments: str):
        return run_json("dynamics", "matrix:stag", *FEW, *arguments)["trajectories"]

    assert ask() == ask("--workers", "1") != ask("--seed", "1")


def test_start(run_json) -> None:
    paths = run_json("dynamics", "matrix:sexes", "--start", "0.7,0.3 3/5,2/5", "--tau", "0.5", "--duration", "3", *FEW)["trajectories"]
    field, mean = paths[0], paths[1]
    assert field["row"][0] == [0.7, 0.3] and field["column"][0] == [0.6, 0.4] and field["times"][-1] == 3
    assert mean["row"][0] == pytest.approx([0.7, 0.3]) and len([path for path in paths if path["source"] == "field"]) == 1


@pytest.mark.process
def test_fictitious_play_and_the_temperature(run, run_json, tmp_path: Path) -> None:
    picture = str(tmp_path / "logit.svg")
    answer = run_json("dynamics", "matrix:brps", "--fictitious", "4000", "--learners", "none", "--bifurcation", picture)
    (played,) = [path for path in answer["trajectories"] if path["source"] == "fictitious play"]
    assert played["row"][-1] == pytest.approx([1 / 16, 10 / 16, 5 / 16], abs=0.05)
    assert answer["logit"][-1]["tau"] == 0.02 and sum(answer["logit"][-1]["row"]) == pytest.approx(1)
    out = run("dynamics", "matrix:sexes", "--fictitious", "50", "--learners", "none", "--plot", str(tmp_path / "a.png"))[1]
    assert "Fictitious play from (O,O), frequencies after 50 rounds (NashConv 0):\n  1.0000 O   |   1.0000 O" in out


@pytest.mark.exhaustive
def test_pictures(run, tmp_path: Path) -> None:
    files = {
        name: tmp_path / f"{name}.{ending}"
        for name, ending in (("plot", "png"), ("basins", "svg"), ("curves", "pdf"), ("bifurcation", "png"))
    }
    arguments = [word for name, file in files.items() for word in (f"--{name}", str(file))]
    status, _, err = run("dynamics", "matrix:sexes", *arguments, *FEW)
    assert status == 0 and len(err.splitlines()) == 4
    assert files["plot"].read_bytes().startswith(b"\x89PNG") and b"<svg" in files["basins"].read_bytes()
    assert files["curves"].read_bytes().startswith(b"%PDF")


@pytest.mark.process
def test_a_game_is_written_and_read_back(run, run_json, tmp_path: Path) -> None:
    file = tmp_path / "game.nfg"
    assert run("dynamics", "matrix:brps", "--write", str(file), "--learners", "none")[0] == 0
    assert load_nfg(str(file)).title == "Biased rock-paper-scissors"
    one, two = (run_json("dynamics", spec, "--learners", "none") for spec in ("matrix:brps", f"matrix:{file}"))
    assert one["equilibria"] == two["equilibria"] and one["actions"] == two["actions"]


def test_degenerate_games_are_described(run, run_json) -> None:
    spec = "1,1 1,0; 0,1 1,0; 1,1 0,1"
    answer = run_json("dynamics", spec, "--learners", "none")
    assert answer["degenerate"] and answer["components"][0]["dimension"] == 1
    assert "every mixture of  #1 ~ #3  against every mixture of  #1" in run("dynamics", spec, "--learners", "none")[1]


def test_ten_by_ten(run_json) -> None:
    source = random.Random(2)
    table = "; ".join(" ".join(f"{source.randint(-9, 9)},{source.randint(-9, 9)}" for _ in range(10)) for _ in range(10))
    answer = run_json("dynamics", table, *FEW)
    assert answer["equilibria"] and not answer["rest_points_complete"]


@pytest.mark.exhaustive
def test_odd_games(run_json) -> None:
    for table in ("1,1", "1,2 3,4", "5; 3", "0,0 0,0; 0,0 0,0", "1e30,1 2,3; 1,1 1,1", "1/3,-1/7 1e-9,0; 0,0 1,1"):
        for options in ((), ("--tau", "0.5"), ("--dynamics", "best-response"), ("--kappa", "3")):
            assert run_json("dynamics", table, *options, *(FEW if "best-response" not in options else ()))["equilibria"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("1,2 3,4; 5,6",), "every row has as many cells; row 1 has 2, row 2 has 1"),
        (("1,2 word; 3,4 5,6",), "cell 'word' in row 1 is not two payoffs"),
        (("1 2; 3 word",), "cell 'word' in row 2 is not a payoff"),
        (("nan,1 2,3",), "cell 'nan,1' in row 1 is not two payoffs"),
        (("; ".join([" ".join(["1,1"] * 11)] * 11),), "up to 10×10; this one is 11×11"),
        (("matrix:nope",), "'nope' names no game"),
        (("quixo:3",), "is not a matrix game"),
        (("matrix:/no/such.nfg",), "there is no file"),
        (("matrix:sexes", "--tau", "0"), "tau is a number from 0.001 to 1000000, not 0.0"),
        (("matrix:sexes", "--tau", "nan"), "not nan"),
        (("matrix:sexes", "--kappa", "0"), "kappa is a whole number"),
        (("matrix:sexes", "--alpha", "nan"), "alpha is a number"),
        (("matrix:sexes", "--learners", "none", "--alpha", "0.1"), "only learners take these"),
        (("matrix:sexes", "--learners", "none", "--dynamics", "replicator", "--tau", "1"), "tau is for boltzmann"),
        (("matrix:sexes", "--dynamics", "replicator", "--tau", "1"), "tau is for boltzmann"),
        (("matrix:sexes", "--populations", "1"), "needs a symmetric game"),
        (("matrix:sexes", "--q0", "a"), "q0 is a number or a range such as -4,4"),
        (("matrix:sexes", "--beta", "0.1"), "beta is for faq learners"),
        (("matrix:sexes", "--learners", "cross", "--gamma", "0.1"), "no discount factor"),
        (("matrix:sexes", "--start", "0.5,0.6 1,0"), "sum to 1"),
        (("matrix:sexes", "--duration", "nan"), "duration of paths"),
        (("matrix:sexes", "--runs", "0"), "the number of runs is from 1"),
        (("matrix:sexes", "--fictitious", "-1"), "fictitious play takes from 1"),
        (("matrix:sexes", "--workers", "-1"), "the number of workers is from 1"),
        (("matrix:sexes", "--eliminate", "both"), "strict or weak"),
        (("matrix:sexes", "--plot", "x.txt"), "a plot is written as"),
        (("matrix:brps", "--basins", "x.png"), "basins are drawn for 2×2 games"),
        (("matrix:sexes", "--learners", "none", "--curves", "x.png"), "learning curves need learners"),
        (("1,1 2,2 3,3 4,4; 1,1 1,1 1,1 1,1", "--plot", "x.png"), "this one is 2×4"),
    ],
)
def test_bad_input_is_refused_in_one_line(refuses, arguments: tuple[str, ...], message: str) -> None:
    assert message in refuses("dynamics", *arguments)


def test_a_file_of_forty_megabytes(refuses, tmp_path: Path) -> None:
    file = tmp_path / "large.nfg"
    with file.open("wb") as stream:
        stream.truncate(40_000_000)
    assert "is larger than 4 MB" in refuses("dynamics", f"matrix:{file}")


def test_no_compiler_is_loaded_without_learners() -> None:
    work = "main(['dynamics', 'matrix:sexes', '--learners', 'none'])"
    code = f"import sys; from ludometer.cli import main; {work}; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1] == "False", done.stderr


@pytest.mark.exhaustive
def test_garbled_tables_never_crash(run) -> None:
    source = random.Random(8)
    read = 0
    for _ in range(80):
        text = list(source.choice(("3,2 0,0; 0,0 2,3", "1 -1; -1 1", "0.5,1/3 2,2 1,0; 0,0 1,1 -2,4")))
        for _ in range(source.randrange(1, 4)):
            text[source.randrange(len(text))] = source.choice("0123456789,; /.-ex\0")
        status, out, err = run("dynamics", "".join(text), "--learners", "none", "--json")
        assert status in (0, 2) and (json.loads(out) if status == 0 else len(err.splitlines()) == 1)
        read += status == 0
    assert 5 < read < 75
