// The board, and what the strategy offers.
#pragma once

#include <vector>

// grid[column][row]: columns from left to right, rows from top to bottom; 0 is empty, 1 and 2 are discs.
using Grid = std::vector<std::vector<int>>;

// The column to play, counted from 0; -1 if none is open.
int choose(const Grid &grid, int player);
