/* The board, and what the strategy offers. */
#ifndef STRATEGY_H
#define STRATEGY_H

#define MAX_SIDE 100 /* columns and rows of the largest board */

/* cells[column][row]: columns from left to right, rows from top to bottom; 0 is empty, 1 and 2 are discs. */
struct grid {
    int width, height;
    signed char cells[MAX_SIDE][MAX_SIDE];
};

/* The column to play, counted from 0; -1 if none is open. */
int choose(const struct grid *grid, int player);

#endif
