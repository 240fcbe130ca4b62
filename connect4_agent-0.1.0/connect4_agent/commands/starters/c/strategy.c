/* Chooses a column. This is the file to improve. */
#include "strategy.h"

static const int DIRECTIONS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

/* The row that a disc in this column would fall to; -1 if the column is full. */
static int free_row(const struct grid *grid, int column)
{
    int row = -1;
    while (row + 1 < grid->height && grid->cells[column][row + 1] == 0)
        row++;
    return row;
}

/* The number of the player's discs in a row, from a cell on in one direction. */
static int run(const struct grid *grid, int player, int column, int row, int dx, int dy)
{
    int length = 0;
    while (column >= 0 && column < grid->width && row >= 0 && row < grid->height
           && grid->cells[column][row] == player) {
        length++;
        column += dx;
        row += dy;
    }
    return length;
}

/* Whether a disc of this player in this column, which must not be full, makes four in a row. */
static int wins(const struct grid *grid, int column, int player)
{
    int row = free_row(grid, column);
    for (int i = 0; i < 4; i++) {
        int dx = DIRECTIONS[i][0], dy = DIRECTIONS[i][1];
        if (run(grid, player, column + dx, row + dy, dx, dy) + run(grid, player, column - dx, row - dy, -dx, -dy) >= 3)
            return 1;
    }
    return 0;
}

/* The columns that are not full, the nearest to the centre first; returns how many there are. */
static int open_columns(const struct grid *grid, int columns[MAX_SIDE])
{
    int count = 0;
    for (int i = 0; i < grid->width; i++) {
        int distance = (i + 1) / 2; /* 0, 1, 1, 2, 2, ... to the left and right of the centre */
        int column = grid->width / 2 + (i % 2 ? -distance : distance);
        if (free_row(grid, column) >= 0)
            columns[count++] = column;
    }
    return count;
}

/* Win if possible, otherwise stop the opponent from winning, otherwise play near the centre. */
int choose(const struct grid *grid, int player)
{
    int columns[MAX_SIDE];
    int count = open_columns(grid, columns);
    for (int turn = 0; turn < 2; turn++) {
        int who = turn == 0 ? player : 3 - player;
        for (int i = 0; i < count; i++)
            if (wins(grid, columns[i], who))
                return columns[i];
    }
    return count > 0 ? columns[0] : -1;
}
