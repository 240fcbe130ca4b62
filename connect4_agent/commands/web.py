"""connect4-agent web: a board in the browser."""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from connect4_agent import errors
from connect4_agent.commands.options import (
    EXIT_FAILED,
    EXIT_USAGE,
    new_parser,
    say_if_interpreted,
    seconds,
    whole_number,
)
from connect4_agent.commands.output import reader_may_leave

if TYPE_CHECKING:
    from types import FrameType

    from connect4_agent.arena.agents import Agent
    from connect4_agent.play.runs import OpenRun

DEFAULT_PORT = 8076
LOOPBACK = "127.0.0.1"

DESCRIPTION = """\
Serve a page to play on, with hints and the course of every game, on an address that only this machine
reaches. With RUN, the folder of a match or tournament, its tables and games are there, too, also while it is
being played. What the page asks for is a documented JSON interface: docs/web.md, and /api/openapi.json.
Ctrl-C ends it.
"""

EXAMPLES = """\
examples:
  connect4-agent web --open                              play
  connect4-agent web runs/my-run --open                  see a run
  connect4-agent web --agent "mine=python3 my_agent.py"  play against a program of your own

exit status: 1 where the address cannot be used, 2 for a command line that cannot be; after Ctrl-C 130,
after SIGTERM 143.
"""


def run(words: list[str]) -> int:
    """Serve until a signal comes; the exit status."""
    parser = new_parser("connect4-agent web", DESCRIPTION, EXAMPLES)
    parser.add_argument("run", metavar="RUN", nargs="?", type=Path, help="the folder of a run to show")
    parser.add_argument(
        "--port", metavar="N", type=_port, default=DEFAULT_PORT, help="0 is any free one (default: %(default)s)"
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument(
        "--host", metavar="ADDRESS", default=LOOPBACK,
        help="listen on this address; anything but the default lets other machines in (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--agent",
        metavar="NAME=COMMAND",
        action="append",
        default=[],
        help="a program to play against; may be repeated",
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=seconds, default=30.0,
        help="the longest that a search may take (default: %(default)g)",
    )  # fmt: skip
    parser.add_argument("--jobs", metavar="N", type=_jobs, help="searches at a time (default: the cores, 2 at least)")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell every call on standard error")
    options = parser.parse_args(words)
    try:
        import starlette  # noqa: F401, PLC0415  # an extra
        import uvicorn  # noqa: F401, PLC0415
    except ImportError as error:
        sys.stderr.write(
            f"{parser.prog}: error: {error.name} is not installed; the page needs the extra `web`: "
            "pip install 'connect4-agent[web]'\n"
        )
        return EXIT_USAGE
    try:
        agents = _agents(options.agent)
        shown_run = _open_run(options.run)
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
    listener: socket.socket, options: argparse.Namespace, agents: tuple[Agent, ...], shown_run: OpenRun | None
) -> int:
    import logging  # noqa: PLC0415

    import uvicorn  # noqa: PLC0415

    from connect4_agent.play.searches import default_parallel  # noqa: PLC0415
    from connect4_agent.play.security import HostNames  # noqa: PLC0415
    from connect4_agent.play.web import Settings, new_app  # noqa: PLC0415

    class Server(uvicorn.Server):
        """Ends at once: nothing has to be put in order, and what was started sees that its server has gone."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
            """Exit with the status that a shell gives the signal."""
            os._exit(128 + sig)

    address, port = listener.getsockname()[:2]
    names = HostNames.of(options.host, address)
    if not names.is_loopback:
        _note(f"warning: whoever reaches {address}, from any machine, can use this server: it has no password")
    url = f"http://{names.shown}:{port}/{'run' if shown_run else ''}"

    def tell() -> None:
        with reader_may_leave():
            sys.stdout.write(f"{url}\n")
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
    if options.verbose:
        logging.basicConfig(format="connect4-agent web: %(message)s", level=logging.INFO)
    else:
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        new_app(settings, tell),
        log_config=None,
        access_log=options.verbose,
        proxy_headers=False,
        server_header=False,
        ws="none",
        lifespan="on",
    )
    with listener:
        Server(config).run(sockets=[listener])
    return 0


def _port(text: str) -> int:
    number = whole_number(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; allowed are 0 to 65535, and 0 is any free one")
    return number


def _jobs(text: str) -> int:
    number = whole_number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} searches at a time; allowed is 1 or more")
    return number


def _agents(texts: list[str]) -> tuple[Agent, ...]:
    """The command line agents; nothing that a page says can add to them."""
    from connect4_agent.arena.agents import Agent, command_words  # noqa: PLC0415
    from connect4_agent.engine.players import BUILT_IN_PLAYERS  # noqa: PLC0415

    agents: dict[str, Agent] = {}
    for text in texts:
        name, equals, command_line = text.partition("=")
        if not equals or not name.strip() or not name.isprintable() or len(name) > 100:
            raise errors.AgentError(f"--agent {text!r} is not of the form NAME=COMMAND")
        if name in agents or name.partition(":")[0] in BUILT_IN_PLAYERS:
            raise errors.AgentError(f"--agent {text!r}: there is a player {name!r} already")
        command = command_words(command_line)
        if command is None:
            raise errors.AgentError(
                f"--agent {text!r}: {command_line!r} is a built-in player, which the page has anyway"
            )
        agents[name] = Agent(name, command=command)
    return tuple(agents.values())


def _open_run(folder: Path | None) -> OpenRun | None:
    from connect4_agent.play.runs import OpenRun  # noqa: PLC0415

    return None if folder is None else OpenRun(folder)


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two servers share the port
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
        return f"--host {host!r} is no address of this machine: {error.strerror}"
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use; --port chooses another one, and --port 0 any free one"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host!r} is no address of this machine"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used by this user; those from 1024 on usually may"
    return f"cannot listen on {host} port {port}: {error.strerror}"


def _open_browser(url: str) -> None:
    import webbrowser  # noqa: PLC0415

    try:
        is_open = webbrowser.open(url)
    except (OSError, webbrowser.Error):
        is_open = False
    if not is_open:
        _note(f"no browser could be opened; the page is at {url}")


def _note(message: str) -> None:
    sys.stderr.write(f"connect4-agent web: {message}\n")
