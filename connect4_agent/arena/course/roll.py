"""The roll of a course: its entries, with their versions and verdicts, as course.json keeps them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from itertools import count
from pathlib import Path
from secrets import choice, token_hex

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from connect4_agent import errors
from connect4_agent.arena.agents.spec import StartForm, agent_name, explain
from connect4_agent.arena.check.result import Kind, Verdict
from connect4_agent.arena.course.config import CourseConfig
from connect4_agent.arena.entries.unpacking import Origin
from connect4_agent.arena.run.description import write_json

ROLL_NAME = "course.json"
_ANIMALS = """
    Albatross Alpaca Antelope Armadillo Axolotl Badger Bat Bear Beaver Beetle Bison Bluebird Bobcat Buffalo
    Bumblebee Butterfly Camel Capybara Caribou Cat Chameleon Cheetah Chickadee Chinchilla Chipmunk Cicada Clownfish
    Cormorant Coyote Crab Crane Cricket Crow Cuckoo Deer Dingo Dolphin Dormouse Dove Dragonfly Duck Eagle Echidna
    Egret Elephant Elk Emu Falcon Ferret Finch Firefly Flamingo Fox Frog Gazelle Gecko Giraffe Goldfinch Goose
    Grasshopper Gull Hamster Hare Hawk Hedgehog Heron Hippo Hoopoe Hornbill Horse Hummingbird Ibex Ibis Iguana
    Impala Jackal Jaguar Jellyfish Kangaroo Kestrel Kingfisher Kiwi Koala Koi Ladybird Lark Lemming Lemur
    Leopard Lion Lizard Llama Lobster Lynx Macaw Magpie Manatee Marmot Marten Meerkat Mole Mongoose Moose Moth
    Narwhal Newt Nightingale Ocelot Octopus Okapi Opossum Orca Oryx Osprey Ostrich Otter Owl Oyster Panda Panther
    Parrot Partridge Pelican Penguin Pheasant Pigeon Piranha Platypus Plover Porcupine Porpoise Puffin Puma Quail
    Quokka Rabbit Raccoon Ram Reindeer Salamander Salmon Sandpiper Seahorse Seal Shark Shrew Shrimp
    Skylark Sloth Snail Sparrow Squid Squirrel Starfish Starling Stoat Stork Sturgeon Swallow Swan Swift Tamarin
    Tapir Tern Tiger Toad Tortoise Toucan Trout Turtle Viper Vole Wallaby Walrus Warbler Weasel Whale Wolf Wolverine
    Wombat Woodpecker Yak Zebra
"""
ANIMALS = tuple(_ANIMALS.split())


class EntryVersion(BaseModel):
    """One version of an entry; its frozen copy is in entries/NAME/NUMBER."""

    model_config = ConfigDict(extra="forbid")

    number: int
    label: str = ""
    """What its author calls it, in agent.toml."""
    files: dict[str, str]
    """What was handed in, with a hash of each file."""
    handed_in: datetime
    is_tried: bool = False
    """Whether it was built and checked; an intake that is stopped leaves some to the next one."""
    is_late: bool = False
    is_accepted: bool = False
    """A late version that plays all the same."""
    verdict: Verdict = Verdict.NOT_READY
    is_copied: bool = True
    """False if what was handed in could not even be copied; `reason` says why."""
    reason: str = ""
    """Why it is not ready, in its author's terms."""
    problem: Kind | None = None
    """What kind of problem that is, if the check has found it."""
    remarks: list[str] = []
    command: tuple[str, ...] = ()
    start: StartForm = StartForm.BARE

    @property
    def name(self) -> str:
        """Its number, with the author's name for it."""
        return f"{self.number} (“{self.label}”)" if self.label else str(self.number)

    @property
    def counts(self) -> bool:
        """Whether it may play."""
        return not self.is_late or self.is_accepted


class Entry(BaseModel):
    """An entry of the course."""

    model_config = ConfigDict(extra="forbid")

    name: str
    alias: str = ""
    """What it is called where names are not shown; it never changes."""
    origin: Origin = Origin()
    """Whose submission it is, so that it is known again."""
    versions: list[EntryVersion] = []
    is_withdrawn: bool = False

    @property
    def present(self) -> EntryVersion | None:
        """The version that plays."""
        return next((version for version in reversed(self.versions) if version.counts), None)


class Roll(BaseModel):
    """All entries of a course, in the order in which they first appeared."""

    model_config = ConfigDict(extra="forbid")

    entries: list[Entry] = []
    config: CourseConfig = CourseConfig()
    """The description of the course, as it was last used."""
    secret: str = Field(default_factory=token_hex)
    """What keeps the site from telling who is behind an alias."""

    @property
    def seed(self) -> int:
        """The seed of the openings; it does not depend on `names`, which may change when the games are played."""
        return int(self.secret[:15], 16) if self.config.seed is None else self.config.seed

    def entry(self, name: str) -> Entry:
        """The entry of this name. Raises ArenaError."""
        for entry in self.entries:
            if name == entry.name:
                return entry
        names = ", ".join(entry.name for entry in self.entries)
        raise errors.ArenaError(f"there is no entry {name!r}; the entries are {names}")

    def public_name(self, name: str) -> str:
        """The name under which everybody may see an agent: an entry's alias, if the course uses them."""
        if self.config.names != "alias":
            return name
        return next((entry.alias for entry in self.entries if entry.name == name), name)

    def entries_of(self, origins: Sequence[Origin], reserved: Iterable[str] = ()) -> list[Entry]:
        """The entry of each submission: the one that it was before, or a new one with a name that nobody has had.

        A file anna.py that is replaced by anna.zip is the same entry; students of a bulk download are known by their
        numbers.
        """
        known = {entry.origin: entry for entry in self.entries}
        left = [entry for entry in self.entries if entry.origin not in origins and not entry.origin.student]
        found = []
        for origin in origins:
            entry = known.get(origin)
            if entry is None and not origin.student:
                entry = next((entry for entry in left if entry.origin.name == origin.name), None)
            if entry is None:
                taken = {*reserved, *(entry.name for entry in self.entries)}
                alias = new_alias({entry.alias for entry in self.entries})
                entry = Entry(name=agent_name(origin.name, taken), alias=alias, origin=origin)
                self.entries.append(entry)
            elif entry in left:
                left.remove(entry)
                entry.origin = origin
            found.append(entry)
        return found

    @property
    def taking_part(self) -> list[Entry]:
        """The entries that were not withdrawn and have a version that counts."""
        return [entry for entry in self.entries if not entry.is_withdrawn and entry.present is not None]


def new_alias(taken: Container[str]) -> str:
    """An alias that is not taken: an animal, with a number once all animals are."""
    for number in count(1):
        free = [alias for animal in ANIMALS if (alias := animal if number == 1 else f"{animal} {number}") not in taken]
        if free:
            return choice(free)
    raise AssertionError("there is always a larger number")


def read_roll(folder: Path) -> Roll:
    """The roll of the course in a folder; an empty one if there is none. Raises RunFolderError."""
    path = folder / ROLL_NAME
    try:
        return Roll.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Roll()
    except ValidationError as error:
        raise errors.RunFolderError(f"{path} cannot be used: {explain(error)}") from None
    except OSError as error:
        raise errors.RunFolderError(f"{path} cannot be read: {error.strerror}") from None


def write_roll(folder: Path, roll: Roll) -> None:
    """Keep the roll, the whole of it or nothing. Raises RunFolderError."""
    write_json(folder / ROLL_NAME, roll.model_dump(mode="json"), orjson.OPT_INDENT_2)
