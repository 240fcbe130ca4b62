"""Tests of the agent. A board is drawn as rows: . is empty, 1 and 2 are discs."""

import unittest

from agent import Grid, choose


def grid_of(drawing: str) -> Grid:
    """The grid that a drawing shows: rows become columns."""
    rows = drawing.replace(".", "0").split()
    return [[int(cell) for cell in column] for column in zip(*rows, strict=True)]


EMPTY = "....... ....... ....... ....... ....... ......."
TWO_WANTS_COLUMN_0 = "....... ....... ....... 2...... 2..1... 2..11.."
BOTH_WANT_THE_SIDES = "....... ....... 1.....2 1.....2 1.....2 2.....1"


class TestAgent(unittest.TestCase):
    """Test what the agent does now; add a test for everything that you teach it."""

    def test_it_begins_in_the_centre(self) -> None:
        self.assertEqual(choose(grid_of(EMPTY), 1), 3)

    def test_it_blocks_the_opponent(self) -> None:
        self.assertEqual(choose(grid_of(TWO_WANTS_COLUMN_0), 1), 0)

    def test_it_wins_rather_than_blocks(self) -> None:
        self.assertEqual(choose(grid_of(BOTH_WANT_THE_SIDES), 1), 0)
        self.assertEqual(choose(grid_of(BOTH_WANT_THE_SIDES), 2), 6)

    def test_it_plays_the_last_open_column(self) -> None:
        self.assertEqual(choose(grid_of("121212. 2121212 1212121"), 1), 6)


if __name__ == "__main__":
    unittest.main()
