"""The code blocks of a page of the documentation, run one after the other as a reader would run them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"(?:Save this as|[Rr]eplace)\s+`([\w.-]+)`[^`]*:\n\n\Z")
"""The end of the text above a block that is to be saved instead of run."""
SHOWN = {"json", "text"}
"""Blocks that are only looked at, unless they are to be saved; `text` is what the block before it prints."""
COMMANDS = {"sh": ("sh", "-ec"), "python": ("python3", "-c")}


@dataclass(frozen=True, slots=True)
class Block:
    """Something to run, or to save under a name, and what it prints if the page says so."""

    language: str
    code: str
    file_name: str | None
    output: str | None


def blocks_of(page: str) -> Iterator[Block]:
    """The blocks of a page to run or to save, in order."""
    found = list(FENCE.finditer(page))
    for match, following in zip_longest(found, found[1:]):
        language, code = match.groups()
        name = FILE_NAME.search(page[: match.start()])
        if name or language not in SHOWN:
            output = following[2] if following and following[1] == "text" else None
            yield Block(language, code, name[1] if name else None, output)


def run_block(block: Block, folder: Path, environment: dict[str, str], timeout: float | None, before: str = "") -> str:
    """Save the block, or run it, in a shell that has run `before`: it must succeed, and print what the page says.

    Return what it prints.
    """
    if block.file_name:
        (folder / block.file_name).write_text(block.code)
        return ""
    code = block.code
    if block.language == "racket":
        (folder / "page.rkt").write_text(code)
        command = ["racket", "page.rkt"]
    else:
        command = [*COMMANDS[block.language], code]
    if before:
        command = ["sh", "-ec", f'{{\n{before}}} >&2\nexec "$@"', "sh", *command]
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout, check=False
    )
    assert result.returncode == 0, f"{code}\n{result.stdout}\n{result.stderr}"
    if block.output is not None:
        assert result.stdout == block.output, code
    return result.stdout


def run_blocks(blocks: Iterable[Block], folder: Path, environment: dict[str, str], timeout: float) -> str:
    """Run all of them, each in a process of its own, and return what they print."""
    return "".join([run_block(block, folder, environment, timeout) for block in blocks])
