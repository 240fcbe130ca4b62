/* Tests of the strategy. A board is drawn as rows: . is empty, 1 and 2 are discs. */
#include <stdio.h>
#include <string.h>

#include "strategy.h"

static int failures = 0;

/* Play on the board of a drawing, and report a column that is not the expected one. */
static void expect(const char *behaviour, const char *drawing, int player, int expected)
{
    struct grid grid;
    int column;
    grid.width = (int)strcspn(drawing, " ");
    grid.height = (int)(strlen(drawing) + 1) / (grid.width + 1);
    for (int x = 0; x < grid.width; x++)
        for (int y = 0; y < grid.height; y++) {
            char sign = drawing[y * (grid.width + 1) + x];
            grid.cells[x][y] = (signed char)(sign == '.' ? 0 : sign - '0');
        }
    column = choose(&grid, player);
    if (column != expected) {
        failures++;
        printf("failed: %s: played %d, expected %d\n", behaviour, column, expected);
    }
}

int main(void)
{
    const char *empty = "....... ....... ....... ....... ....... .......";
    const char *two_wants_column_0 = "....... ....... ....... 2...... 2..1... 2..11..";
    const char *both_want_the_sides = "....... ....... 1.....2 1.....2 1.....2 2.....1";
    expect("it begins in the centre", empty, 1, 3);
    expect("it blocks the opponent", two_wants_column_0, 1, 0);
    expect("it wins rather than blocks, as player 1", both_want_the_sides, 1, 0);
    expect("it wins rather than blocks, as player 2", both_want_the_sides, 2, 6);
    expect("it plays the last open column", "121212. 2121212 1212121", 1, 6);
    if (failures == 0)
        printf("all tests passed\n");
    return failures != 0;
}
