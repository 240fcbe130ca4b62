// Talks to the manager: a request in each line, a move in each answer. The thinking is in strategy.cpp.
#include <iostream>
#include <string>
#include <vector>

#include "strategy.hpp"

// Read a list of columns, such as [[0,0,2],[0,0,0]]; an empty one if the line has none.
static Grid read_grid(const std::string &line)
{
    Grid grid;
    int depth = 0;
    std::size_t at = line.find("\"grid\"");
    for (at = line.find('[', at); at < line.size(); at++) {
        if (line[at] == '[' && ++depth == 2)
            grid.emplace_back();
        else if (line[at] == ']' && --depth == 0)
            break;
        else if (depth == 2 && line[at] >= '0' && line[at] <= '2')
            grid.back().push_back(line[at] - '0');
    }
    for (const auto &cells : grid)
        if (depth != 0 || cells.empty() || cells.size() != grid[0].size())
            return {};
    return grid;
}

// Who is to move: as the request says, or else the command line, or else the discs on the board.
static int player_of(const std::string &line, const Grid &grid, const std::vector<std::string> &words)
{
    std::size_t key = line.find("\"player\"");
    std::size_t value = key == std::string::npos ? key : line.find_first_not_of(" \t:", key + 8);
    if (value != std::string::npos && (line[value] == '1' || line[value] == '2'))
        return line[value] - '0';
    for (const auto &word : words) // --player 1 --width 7 ..., or 1 1 7 7 6 6
        if (word == "1" || word == "2")
            return word[0] - '0';
    int discs[3] = {0, 0, 0};
    for (const auto &cells : grid)
        for (int cell : cells)
            discs[cell]++;
    return discs[2] < discs[1] ? 2 : 1;
}

int main(int count, char **arguments)
{
    const std::vector<std::string> words(arguments + 1, arguments + count);
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        const Grid grid = read_grid(line);
        const int move = grid.empty() ? -1 : choose(grid, player_of(line, grid, words));
        if (move >= 0)
            std::cout << "{\"move\": " << move << "}" << std::endl; // endl flushes; print anything else to std::cerr
        else
            std::cout << "{\"error\": \"no move is possible\"}" << std::endl;
    }
    return 0;
}
