"""An endpoint with the chat-completions interface, in this process, that answers as a test wants."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.processes import clean_environment

KEY = "a-secret-of-the-test"
TOKENS = 17
"""What every answer of a model costs."""

Answer = str | int | tuple[int, dict[str, str]] | Callable[[BaseHTTPRequestHandler], None]
"""The words of a model, an HTTP status, one with headers, or what to do with the request."""


class Endpoint:
    """What was asked, and how to answer: the last answer is given again and again."""

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.ending = threading.Event()
        self.url = ""
        self._answers = list(answers)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a program that asks this endpoint."""
        return clean_environment(OPENAI_BASE_URL=self.url, OPENAI_API_KEY=KEY)

    def answer_with(self, *answers: Answer) -> None:
        """Give these answers from now on."""
        self._answers = list(answers)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.requests.append(body)
        self.headers.append(dict(handler.headers))
        self.paths.append(handler.path)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if callable(answer):
            answer(handler)
        elif isinstance(answer, str):
            message = {"role": "assistant", "content": answer}
            send(handler, 200, {}, {"choices": [{"message": message}], "usage": {"total_tokens": TOKENS}})
        else:
            status, headers = answer if isinstance(answer, tuple) else (answer, {})
            send(handler, status, headers, {"error": {"message": f"the key {KEY} is wrong"}})

    def stay_silent(self, _handler: BaseHTTPRequestHandler) -> None:
        """Never answer."""
        self.ending.wait()

    def send_slowly(self, handler: BaseHTTPRequestHandler) -> None:
        """Send an answer that does not end, byte by byte."""
        handler.send_response(200)
        handler.end_headers()
        while not self.ending.is_set():
            handler.wfile.write(b" ")
            time.sleep(0.01)


def send(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str], document: Any) -> None:
    """Send a whole answer."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    handler.send_response(status)
    for name, value in {**headers, "Content-Length": str(len(data))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


@contextmanager
def serving(*answers: Answer) -> Iterator[Endpoint]:
    """An endpoint that gives these answers, one after the other."""
    endpoint = Endpoint(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name that http.server looks for
            with suppress(ConnectionError):
                endpoint.answer(self)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.ending.set()
            server.shutdown()
            thread.join()
