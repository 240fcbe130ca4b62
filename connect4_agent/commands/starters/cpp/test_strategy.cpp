// Tests of the strategy. A board is drawn as rows: . is empty, 1 and 2 are discs.
#include <iostream>
#include <string>

#include "strategy.hpp"

static int failures = 0;

// Play on the board of a drawing, and report a column that is not the expected one.
static void expect(const std::string &behaviour, const std::string &drawing, int player, int expected)
{
    const std::size_t width = drawing.find(' ');
    Grid grid(width);
    for (std::size_t at = 0; at < drawing.size(); at++)
        if (drawing[at] != ' ')
            grid[at % (width + 1)].push_back(drawing[at] == '.' ? 0 : drawing[at] - '0');
    const int column = choose(grid, player);
    if (column != expected) {
        failures++;
        std::cout << "failed: " << behaviour << ": played " << column << ", expected " << expected << "\n";
    }
}

int main()
{
    const std::string empty = "....... ....... ....... ....... ....... .......";
    const std::string two_wants_column_0 = "....... ....... ....... 2...... 2..1... 2..11..";
    const std::string both_want_the_sides = "....... ....... 1.....2 1.....2 1.....2 2.....1";
    expect("it begins in the centre", empty, 1, 3);
    expect("it blocks the opponent", two_wants_column_0, 1, 0);
    expect("it wins rather than blocks, as player 1", both_want_the_sides, 1, 0);
    expect("it wins rather than blocks, as player 2", both_want_the_sides, 2, 6);
    expect("it plays the last open column", "121212. 2121212 1212121", 1, 6);
    if (failures == 0)
        std::cout << "all tests passed\n";
    return failures != 0;
}
