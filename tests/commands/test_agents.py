"""`ludometer agents`: who can play, and with which options."""

from __future__ import annotations

from ludometer import agents


def test_every_agent_with_its_options(run_json) -> None:
    rows = run_json("agents")
    assert [row["name"] for row in rows] == list(agents.kinds())
    for row in rows:
        kind = agents.kinds()[row["name"]]
        assert row["title"] == kind.title and row["syntax"] == kind.syntax
        assert [option["name"] for option in row["options"]] == [option.name for option in kind.options]
    (c,) = (option for row in rows if row["name"] == "mcts" for option in row["options"] if option["name"] == "c")
    assert (c["default"], c["least"], c["choices"]) == (0.3, 0.0, []) and c["help"]


def test_one_agent(run_json, run) -> None:
    (row,) = run_json("agents", "alphabeta")
    assert row["name"] == "alphabeta" and {"depth", "time", "order"} <= {option["name"] for option in row["options"]}
    lines = run("agents", "alphabeta")[1].splitlines()
    assert lines[2] == "write alphabeta or alphabeta:OPTION=VALUE,…; a bare value is depth: alphabeta:0"
    for option in row["options"]:
        (line,) = (line for line in lines if line.startswith(f"  {option['name']} "))
        assert option["help"] in line and all(choice in line for choice in option["choices"])
    assert run("agents", "random")[1].splitlines()[-1] == "write random"


def test_text(run) -> None:
    lines = run("agents")[1].splitlines()
    for kind in agents.kinds().values():
        assert any(line.split()[:1] == [kind.name] and line.endswith(f"  {kind.title}") for line in lines)


def test_an_agent_that_does_not_exist(refuses) -> None:
    assert "did you mean alphabeta?" in refuses("agents", "alphabet")
