"""Lets a language model play: any endpoint with the chat-completions interface, and nothing but the standard library.

A manager sends a request in each line; the model is asked up to three times for an open column. A model that names
none loses the game: no other move is played in its place.
"""

import argparse
import http.client
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request

ATTEMPTS = 3
RETRIED = (408, 409, 425, 429, 500, 502, 503, 504, 529)  # busy, or broken for a moment

PROMPT = """\
You play Connect Four on a board of {width} columns and {height} rows. A disc falls to the lowest empty cell of its
column. Four discs of one player in a row win: horizontally, vertically or diagonally.

Your discs are X, your opponent's are O. The numbers of the columns, and below them the board from its top row down:

{board}

It is your turn. Can you win now? If not, would your opponent win next? You may think first. End with one line:
move: COLUMN
where COLUMN is one of the open columns: {columns}.
"""

parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
parser.add_argument("--model", required=True, help="the name of the model at the endpoint")
parser.add_argument("--temperature", type=float, help="default: the endpoint's")
parser.add_argument("--time-limit", type=float, default=50.0, metavar="SECONDS", help="for a move (default: 50)")
options, words = parser.parse_known_args()  # a manager may add words of its own

url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/") + "/chat/completions"
key = os.environ.get("OPENAI_API_KEY", "")


class EndpointError(Exception):
    """The endpoint gave no answer, or not one of a model."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: the key is for one address alone."""

    def redirect_request(self, *_arguments):
        return None


opener = urllib.request.build_opener(NoRedirect)


def make_prompt(grid, player):
    signs = {0: ".", player: "X"}
    rows = [" ".join(signs.get(cell, "O").rjust(2) for cell in row) for row in zip(*grid, strict=True)]
    numbers = " ".join(str(column).rjust(2) for column in range(len(grid)))
    columns = ", ".join(map(str, open_columns(grid)))
    return PROMPT.format(width=len(grid), height=len(grid[0]), board="\n".join([numbers, *rows]), columns=columns)


def open_columns(grid):
    return [column for column, cells in enumerate(grid) if cells[0] == 0]


def find_move(text):
    """The last whole number after "move:", also in JSON or bold; None if there is none."""
    found = re.findall(r"\bmove\W{0,9}?:\W{0,9}?(-?\d{1,9})(?!\.?\d)", text, re.IGNORECASE)
    return int(found[-1]) if found else None


def ask(messages, deadline):
    """The model's answer, and how many tokens it cost. Waits and tries again while the endpoint is busy."""
    body = {"model": options.model, "messages": messages}
    if options.temperature is not None:
        body["temperature"] = options.temperature
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    pause = 0.5
    while True:
        wait = pause = pause * 2
        try:
            seconds = max(deadline - time.monotonic(), 0.001)
            request = urllib.request.Request(url, json.dumps(body).encode(), headers)
            with opener.open(request, timeout=seconds) as response:
                return read_answer(read_all(response, deadline))
        except urllib.error.HTTPError as error:
            problem = f"HTTP status {error.code} {error.reason}"
            if error.code not in RETRIED:
                raise EndpointError(f"{problem}: {error.read(300).decode(errors='replace')}") from None
            after = error.headers.get("Retry-After", "")
            wait = float(after) if after.isdecimal() else pause
        except (OSError, http.client.HTTPException) as error:
            problem = f"{type(error).__name__}: {error}"
        if time.monotonic() + wait >= deadline:
            raise EndpointError(f"no answer within {options.time_limit:g} s; the last problem: {problem}")
        time.sleep(wait)


def read_all(response, deadline):
    data = b""
    while chunk := response.read1(65536):  # a server that sends byte by byte must not outlast the limit
        data += chunk
        if time.monotonic() > deadline:
            raise TimeoutError("the answer did not end")
    return data


def read_answer(data):
    try:
        answer = json.loads(data)
        text = answer["choices"][0]["message"]["content"] or ""
        return str(text), int((answer.get("usage") or {}).get("total_tokens") or 0)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        raise EndpointError(f"not a chat completion: {data[:300].decode(errors='replace')}") from None


def choose(grid, player):
    """The reply to a request: the move, and what it took."""
    deadline = time.monotonic() + options.time_limit
    messages = [{"role": "user", "content": make_prompt(grid, player)}]
    reply = {"stats": {"tokens": 0, "attempts": 0, "illegal": 0}}
    stats = reply["stats"]
    try:
        while stats["attempts"] < ATTEMPTS:
            text, tokens = ask(messages, deadline)
            stats["attempts"] += 1
            stats["tokens"] += tokens
            print(text, file=sys.stderr)
            move = find_move(text)
            if move in open_columns(grid):
                return {"move": move, **reply}
            stats["illegal"] += 1
            wrong = 'Your answer has no line "move: COLUMN".' if move is None else f"Column {move} is not open."
            columns = ", ".join(map(str, open_columns(grid)))
            messages.append({"role": "assistant", "content": text})
            messages.append({"role": "user", "content": f"{wrong} Open columns: {columns}. Answer again."})
    except EndpointError as error:
        problem = str(error)
        return {"error": problem.replace(key, "(key)") if key else problem, **reply}
    return {"move": -1 if move is None else move, "error": f"{ATTEMPTS} answers without an open column", **reply}


def player_of(request):
    """Who is to move: as the request says, or else the command line, or else the discs on the board."""
    cells = [cell for column in request["grid"] for cell in column]
    said = [int(word) for word in words if word in ("1", "2")]  # --player 1 --width 7 --height 6, or 1 1 7 7 6 6
    return request.get("player") or (said[0] if said else 2 if cells.count(2) < cells.count(1) else 1)


for line in sys.stdin:
    text = line.strip().lstrip("\ufeff")  # some managers begin with a byte order mark
    if not text:
        continue
    try:
        request = json.loads(text)
        if not open_columns(request["grid"]):
            raise ValueError("no column is open")
        reply = choose(request["grid"], player_of(request))
    except Exception as error:  # a bad request should cost one answer, not the game
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
