"""Aliases: friendly names under which entries may be shown, drawn at random so that nobody can work them out."""

from __future__ import annotations

from collections.abc import Container
from itertools import count
from secrets import choice

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


def new_alias(taken: Container[str]) -> str:
    """An alias that is not taken: an animal, with a number once all animals are."""
    for number in count(1):
        free = [alias for animal in ANIMALS if (alias := animal if number == 1 else f"{animal} {number}") not in taken]
        if free:
            return choice(free)
    raise AssertionError("there is always a larger number")
