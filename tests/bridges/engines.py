"""Engines for the tests, written from docs/engines.md alone: one in Python, one in C, and faulty ones."""

from __future__ import annotations

# A player of tic-tac-toe that takes the first free cell; options Word and Late change its answers.
PYTHON = """
import sys, time

word, moves, late = "", [], 0.0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name first\\noption name Word type string default\\noption name Late type string default 0\\nugiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["setoption"] and words[2] == "Word":
        word = words[4]
    elif words[:1] == ["setoption"] and words[2] == "Late":
        late = float(words[4])
    elif words[:1] == ["position"]:
        moves = words[words.index("moves") + 1:] if "moves" in words else []
    elif words[:1] == ["go"]:
        time.sleep(late)
        free = [c + r for r in "321" for c in "ABC" if c + r not in moves]
        print("info nodes 7 score value 0.5 pv", free[0], "\\nbestmove", word or free[0], flush=True)
    elif words[:1] == ["quit"]:
        break
"""

C = r"""
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[65536], moves[65536] = "";
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi\n", 4)) puts("id name c\nugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position", 8)) strcpy(moves, line);
        else if (!strncmp(line, "go", 2)) {
            for (int row = 3; row > 0; row--)
                for (int column = 0; column < 3; column++) {
                    char cell[3] = {(char)('A' + column), (char)('0' + row), 0};
                    if (!strstr(moves, cell)) { printf("bestmove %s\n", cell); row = 0; break; }
                }
        } else if (!strncmp(line, "quit", 4)) return 0;
        fflush(stdout);
    }
    return 0;
}
"""

# After a correct beginning, `go` is answered by these lines; {name}: (lines, what the record says)
FAULTY = {
    "garbage": ("print('\\x00\\xff nonsense\\nbestmov A1\\n' * 50, flush=True)", "more than 0.5 s for bestmove"),
    "silence": ("pass", "more than 0.5 s for bestmove"),
    "half a line": ("sys.stdout.write('bestmove A'); sys.stdout.flush()", "more than 0.5 s for bestmove"),
    "ten megabytes in a line": ("print('x' * 10_000_000, flush=True)", "a line of more than 1,000,000 bytes"),
    "a flood": ("while True: print('info string busy', flush=True)", "more than 0.5 s for bestmove"),
    "a wrong move": ("print('bestmove Z9', flush=True)", "illegal move 'Z9'"),
    "no move": ("print('bestmove', flush=True)", "illegal move ''"),
    "an early end": ("sys.exit(3)", "its process has ended"),
    "a crash": ("import os; os.abort()", "its process has ended"),
}
BEGINNING = """
import sys, time
for line in sys.stdin:
    if line.startswith("ugi\\n"):
        print("ugiok", flush=True)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("go"):
        {lines}
"""
