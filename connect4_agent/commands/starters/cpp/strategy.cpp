// Chooses a column. This is the file to improve.
#include "strategy.hpp"

#include <algorithm>
#include <cstdlib>

// The number of the player's discs in a row, next to a cell in one direction.
static int run(const Grid &grid, int player, int column, int row, int dx, int dy)
{
    const int width = static_cast<int>(grid.size()), height = static_cast<int>(grid[0].size());
    int length = 0;
    for (int x = column + dx, y = row + dy; x >= 0 && x < width && y >= 0 && y < height && grid[x][y] == player;
         x += dx, y += dy)
        length++;
    return length;
}

// Whether a disc of this player in this column, which must not be full, makes four in a row.
static bool wins(const Grid &grid, int column, int player)
{
    const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const int row = static_cast<int>(std::count(grid[column].begin(), grid[column].end(), 0)) - 1;
    for (const auto &[dx, dy] : directions)
        if (run(grid, player, column, row, dx, dy) + run(grid, player, column, row, -dx, -dy) >= 3)
            return true;
    return false;
}

// The columns that are not full, the nearest to the centre first.
static std::vector<int> open_columns(const Grid &grid)
{
    const int width = static_cast<int>(grid.size());
    std::vector<int> columns;
    for (int column = 0; column < width; column++)
        if (grid[column][0] == 0)
            columns.push_back(column);
    std::stable_sort(columns.begin(), columns.end(), [width](int one, int other) {
        return std::abs(2 * one - width + 1) < std::abs(2 * other - width + 1);
    });
    return columns;
}

// Win if possible, otherwise stop the opponent from winning, otherwise play near the centre.
int choose(const Grid &grid, int player)
{
    const std::vector<int> columns = open_columns(grid);
    for (int who : {player, 3 - player})
        for (int column : columns)
            if (wins(grid, column, who))
                return column;
    return columns.empty() ? -1 : columns[0];
}
