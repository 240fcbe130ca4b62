"""connect4-agent web: a board in the browser."""

from __future__ import annotations

import argparse
import errno
import os
import re
import socket
import sys
import threading
import webbrowser
from pathlib import Path

from connect4_agent import errors
from connect4_agent.arena.command_line import command_words, split_name
from connect4_agent.arena.spec import AgentSpec, new_spec
from connect4_agent.commands.shared.options import (
    EXIT_FAILED,
    EXIT_USAGE,
    add_pass_env,
    how_to_add,
    integer,
    new_parser,
    say_if_interpreted,
    seconds,
)
from connect4_agent.commands.shared.output import reader_may_leave
from connect4_agent.engine.players.registry import BUILT_IN_PLAYERS

has_extra = True
"""True if everything of the extra `web` is installed."""
try:
    from connect4_agent.ui.web.app import Settings, new_app
    from connect4_agent.ui.web.origin_check import HostNames
    from connect4_agent.ui.web.runs import OpenRun
    from connect4_agent.ui.web.searches import default_parallel
    from connect4_agent.ui.web.serving import format_url, network_address, serve
except ModuleNotFoundError:
    has_extra = False

DEFAULT_PORT = 8076
LOOPBACK = "127.0.0.1"
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})*")

DESCRIPTION = """\
Serve a page to play on, with hints and an analysis of every game, on an address that only this machine can
reach. With RUN, the folder of a match or tournament, the page also shows its tables and games, even while it
is being played. Ctrl-C ends it.
"""

EXAMPLES = """\
examples:
  connect4-agent web --open                     play
  connect4-agent web runs/my-run --open         see a run
  connect4-agent web --host 0.0.0.0             play on a phone nearby
  connect4-agent web --agent mine=my_agent.py   play against a program

exit status: 1 if the address cannot be used, 2 for a bad command line, 130 after Ctrl-C, 143 after SIGTERM.
"""


def run(words: list[str]) -> int:
    """Serve until a signal comes; the exit status."""
    parser = new_parser("connect4-agent web", DESCRIPTION, EXAMPLES)
    option = parser.group()
    option("RUN", "the folder of a run to show", Path, nargs="?")
    option("--port N", "0 takes any free port (default: %(default)s)", integer(0, 65535), default=DEFAULT_PORT)
    option("--open", "open the page in the browser")
    text = "listen on this address; another one than the default lets other machines in (default: %(default)s)"
    option("--host ADDRESS", text, default=LOOPBACK)
    option("--allow-host NAME ...", "a host name under which the page may be opened as well", _host_name)
    option("--origin URL ...", "where a proxy shows the page, such as https://board.example", _origin)
    text = "let pages of this origin read /solve, such as https://my.example; * lets all"
    option("--allow-origin URL ...", text, _reader)
    option("--agent NAME=COMMAND ...", "a program to play against")
    add_pass_env(option)
    option("--time-limit SECONDS", "the longest that a search may take (default: %(default)g)", seconds, default=30.0)
    option("--jobs N", "searches at a time (default: the cores, 2 at least)", integer(1))
    option("-v, --verbose", "log every call to standard error")
    options = parser.parse_args(words)
    if not has_extra:
        sys.stderr.write(f"{parser.prog}: error: the page needs the extra web: {how_to_add('web')}\n")
        return EXIT_USAGE
    try:
        agents = _agents(options.agent, options.pass_env)
        shown_run = None if options.run is None else OpenRun(options.run)
    except (errors.AgentError, errors.RunFolderError) as error:
        parser.error(str(error))
    try:
        listener = _listen(options.host, options.port)
    except OSError as error:
        sys.stderr.write(f"{parser.prog}: error: {why_not(options.host, options.port, error)}\n")
        return EXIT_FAILED
    say_if_interpreted(_note)
    return _serve(listener, options, agents, shown_run)


def _serve(
    listener: socket.socket, options: argparse.Namespace, agents: tuple[AgentSpec, ...], shown_run: OpenRun | None
) -> int:
    address, port = listener.getsockname()[:2]
    names = HostNames.of(options.host, address, options.allow_host, options.origin, options.allow_origin)
    if not names.is_loopback:
        _note(f"warning: everyone who can reach {address} can use this server: it has no password")
    path = "run" if shown_run else ""
    url = f"http://{names.shown}:{port}/{path}"

    def tell() -> None:
        with reader_may_leave():
            sys.stdout.write(f"{url}\n{_for_phones(url, address, port, path, options.origin)}")
        if options.open:
            threading.Thread(target=_open_browser, args=(url,), daemon=True).start()

    settings = Settings(
        names,
        run=shown_run,
        agents=agents,
        parallel=options.jobs or default_parallel(),
        longest_seconds=options.time_limit,
        verbose=options.verbose,
    )
    serve(new_app(settings, tell), listener, verbose=options.verbose)
    return 0


def _for_phones(url: str, address: str, port: int, path: str, origins: list[str]) -> str:
    """Return a line with the address that other machines can open, or nothing if there is none."""
    reached = network_address(address)
    if origins:
        other = f"{origins[0]}/{path}"
    elif reached is not None:
        other = format_url(reached, port, path)
    else:
        return ""
    return "" if other == url else f"{other}\n"


def _host_name(text: str) -> str:
    """Return a host name without a port, for argparse."""
    name = text.lower().removesuffix(".")
    if not HOST_NAME.fullmatch(name):
        raise argparse.ArgumentTypeError(f"{text!r} is not a host name such as board.example")
    return name


def _origin(text: str) -> str:
    """Return a scheme, a host name and maybe a port, as browsers write them, for argparse."""
    scheme, _, rest = text.lower().removesuffix("/").partition("://")
    name, _, port = rest.partition(":")
    is_port = not port or (port.isascii() and port.isdecimal() and int(port[:6]) <= 65535)
    if scheme not in ("http", "https") or not HOST_NAME.fullmatch(name) or not is_port or rest.endswith(":"):
        raise argparse.ArgumentTypeError(f"{text!r} is not an origin such as https://board.example")
    return f"{scheme}://{rest}"


def _reader(text: str) -> str:
    return text if text == "*" else _origin(text)


def _agents(texts: list[str], pass_env: list[str] | None) -> tuple[AgentSpec, ...]:
    """Return the agents of the command line; no page can add to them."""
    agents: dict[str, AgentSpec] = {}
    for text in texts:
        name, command_line = split_name(text)
        if name is None or not name.isprintable():
            raise errors.AgentError(f"--agent {text!r} is not of the form NAME=COMMAND")
        if name in agents or {name, name.partition(":")[0]} & BUILT_IN_PLAYERS.keys():
            raise errors.AgentError(f"--agent {text!r}: there is already a player {name!r}")
        command = command_words(command_line)
        if command is None:
            raise errors.AgentError(
                f"--agent {text!r}: {command_line!r} is a built-in player, which the page already offers"
            )
        agents[name] = new_spec({"name": name, "command": command, "pass_env": pass_env})
    return tuple(agents.values())


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on Windows it would let two servers share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def why_not(host: str, port: int, error: OSError) -> str:
    """Why the server cannot listen there, for people."""
    if isinstance(error, socket.gaierror):
        return f"--host {host!r} is not an address of this machine: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; choose another one with --port, or any free one with --port 0"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host!r} is not an address of this machine"
    if error.errno == errno.EACCES:
        return f"this user may not use port {port}; ports from 1024 on are usually allowed"
    return f"cannot listen on {host} port {port}: {error.strerror}"


def _open_browser(url: str) -> None:
    try:
        is_open = webbrowser.open(url)
    except (OSError, webbrowser.Error):
        is_open = False
    if not is_open:
        _note(f"could not open a browser; the page is at {url}")


def _note(message: str) -> None:
    sys.stderr.write(f"connect4-agent web: {message}\n")
