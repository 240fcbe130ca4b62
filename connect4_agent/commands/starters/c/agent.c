/* Talks to the manager: a request in each line, a move in each answer. The thinking is in strategy.c. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strategy.h"

#define MAX_LINE 65536

/* The text after a key and its colon; NULL if the line does not have the key. */
static const char *value_of(const char *line, const char *quoted_key)
{
    const char *at = strstr(line, quoted_key);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 : NULL;
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Read a list of columns, such as [[0,0,2],[0,0,0]]; returns whether it is one. */
static int read_grid(const char *at, struct grid *grid)
{
    grid->width = grid->height = 0;
    at = skip_blanks(at);
    if (*at++ != '[')
        return 0;
    do {
        int height = 0;
        at = skip_blanks(at);
        if (*at++ != '[' || grid->width == MAX_SIDE)
            return 0;
        do {
            at = skip_blanks(at);
            if (*at < '0' || *at > '2' || height == MAX_SIDE)
                return 0;
            grid->cells[grid->width][height++] = (signed char)(*at++ - '0');
            at = skip_blanks(at);
        } while (*at++ == ',');
        if (at[-1] != ']' || (grid->width > 0 && height != grid->height))
            return 0;
        grid->height = height;
        grid->width++;
        at = skip_blanks(at);
    } while (*at++ == ',');
    return at[-1] == ']';
}

/* Who is to move: as the request says, or else the command line, or else the discs on the board. */
static int player_of(const char *line, const struct grid *grid, int count, char **words)
{
    const char *value = value_of(line, "\"player\"");
    int player = value ? atoi(value) : 0;
    int discs[3] = {0, 0, 0};
    for (int i = 1; i < count && player != 1 && player != 2; i++) /* --player 1 --width 7 ..., or 1 1 7 7 6 6 */
        player = strlen(words[i]) == 1 ? words[i][0] - '0' : 0;
    if (player == 1 || player == 2)
        return player;
    for (int column = 0; column < grid->width; column++)
        for (int row = 0; row < grid->height; row++)
            discs[grid->cells[column][row]]++;
    return discs[2] < discs[1] ? 2 : 1;
}

int main(int count, char **words)
{
    static char line[MAX_LINE];
    static struct grid grid;
    while (fgets(line, sizeof line, stdin)) {
        const char *value = value_of(line, "\"grid\"");
        int move = -1;
        if (*skip_blanks(line) == '\0')
            continue;
        if (value && read_grid(value, &grid))
            move = choose(&grid, player_of(line, &grid, count, words));
        /* Only answers go to standard output, and at once; print anything else to stderr. */
        if (move >= 0)
            printf("{\"move\": %d}\n", move);
        else
            printf("{\"error\": \"no move is possible\"}\n");
        fflush(stdout);
    }
    return 0;
}
