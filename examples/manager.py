"""Play one game of Connect Four between two programs that answer requests in JSON.

Usage: python3 examples/manager.py "connect4-agent --level easy" "python3 examples/random_agent.py"
"""

import contextlib
import json
import random
import shlex
import sys
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Timer

WIDTH, HEIGHT = 7, 6
MOVE_SECONDS, FAREWELL_SECONDS = 10, 2


def ask(program, request):
    """Send a request and return the answer: one line, or nothing if the program ends or takes too long."""
    alarm = Timer(MOVE_SECONDS, program.kill)
    alarm.start()
    with contextlib.suppress(OSError):  # a program that has ended breaks the pipe
        program.stdin.write(json.dumps(request).encode() + b"\n")
    answer = program.stdout.readline(1000)
    alarm.cancel()
    return answer.decode(errors="replace").strip()


def read_move(answer, grid):
    """Return the open column that the answer names, or None."""
    try:
        column = json.loads(answer)["move"]
        return column if type(column) is int and column >= 0 and grid[column][0] == 0 else None
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def has_four(grid, player):
    """Tell whether the player has four discs in a line."""
    discs = {(x, y) for x, column in enumerate(grid) for y, cell in enumerate(column) if cell == player}
    steps = (0, 1), (1, 0), (1, 1), (1, -1)
    return any({(x + n * dx, y + n * dy) for n in range(4)} <= discs for x, y in discs for dx, dy in steps)


def play(programs, grid):
    """Play until the game is over, and return how it ended."""
    player = random.choice((1, 2))
    while any(0 in column for column in grid):
        answer = ask(programs[player - 1], {"grid": grid, "height": HEIGHT, "player": player, "width": WIDTH})
        move = read_move(answer, grid)
        if move is None:
            return f"player {3 - player} wins: player {player} answered {answer or 'nothing'}, not an open column"
        grid[move][grid[move].count(0) - 1] = player  # cells run from top to bottom, so the lowest empty one
        if has_four(grid, player):
            return f"player {player} wins: four in a line"
        player = 3 - player
    return "draw: the board is full"


if len(sys.argv) != 3:
    sys.exit(__doc__)
board = [[0] * HEIGHT for _ in range(WIDTH)]
players = [Popen(shlex.split(command), stdin=PIPE, stdout=PIPE, bufsize=0) for command in sys.argv[1:]]
result = play(players, board)
for row in zip(*board, strict=True):
    print(*row)
print(result)
for each in players:
    each.stdin.close()  # tells the program that the game is over
    try:
        each.wait(FAREWELL_SECONDS)
    except TimeoutExpired:
        each.kill()
