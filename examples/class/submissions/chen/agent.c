/* Looks six moves ahead; a position in which nobody has won yet is worth more with discs near the centre. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 6
#define SIDE 32
#define WON 10000

static int width, height;
static int cells[SIDE][SIDE]; /* cells[column][row], row 0 at the top */

/* The row in which a disc comes to rest; -1 if the column is full. */
static int landing_row(int column) {
    int row = height - 1;
    while (row >= 0 && cells[column][row] != 0) row--;
    return row;
}

static int run_of(int column, int row, int right, int down) {
    int player = cells[column][row], length = 0;
    for (column += right, row += down;
         column >= 0 && column < width && row >= 0 && row < height && cells[column][row] == player;
         column += right, row += down)
        length++;
    return length;
}

static int makes_four(int column, int row) {
    return run_of(column, row, 0, 1) >= 3 ||
           run_of(column, row, 1, 0) + run_of(column, row, -1, 0) >= 3 ||
           run_of(column, row, 1, 1) + run_of(column, row, -1, -1) >= 3 ||
           run_of(column, row, 1, -1) + run_of(column, row, -1, 1) >= 3;
}

static int opinion(int player) {
    int sum = 0;
    for (int column = 0; column < width; column++)
        for (int row = 0; row < height; row++)
            if (cells[column][row] != 0)
                sum += (cells[column][row] == player ? 1 : -1) * (width - abs(2 * column - width + 1));
    return sum;
}

/* How good the position is for the player to move; *best is a best column. */
static int search(int player, int depth, int alpha, int beta, int *best) {
    int is_full = 1, ignored;
    if (depth == 0) return opinion(player);
    for (int step = 0; step < width; step++) {
        int column = width / 2 + (step % 2 ? (step + 1) / 2 : -(step / 2)); /* from the centre outwards */
        int row, value;
        if (column < 0 || column >= width || (row = landing_row(column)) < 0) continue;
        if (is_full) *best = column;
        is_full = 0;
        cells[column][row] = player;
        value = makes_four(column, row) ? WON + depth : -search(3 - player, depth - 1, -beta, -alpha, &ignored);
        cells[column][row] = 0;
        if (value > alpha) {
            alpha = value;
            *best = column;
        }
        if (alpha >= beta) break;
    }
    return is_full ? 0 : alpha;
}

static int number_after(const char *line, const char *key) {
    const char *found = strstr(line, key);
    return found == NULL ? 0 : atoi(found + strlen(key));
}

/* Fills in the board. The grid is a list of columns, each a list of cells from the top. */
static void read_grid(const char *line) {
    const char *sign = strstr(line, "\"grid\":");
    int depth = 0;
    width = height = 0;
    if (sign == NULL) return;
    for (sign += strlen("\"grid\":"); *sign != '\0'; sign++) {
        if (*sign == '[' && ++depth == 2) height = 0;
        if (*sign >= '0' && *sign <= '2' && width < SIDE && height < SIDE) cells[width][height++] = *sign - '0';
        if (*sign == ']' && depth-- == 2) width++;
        if (*sign == ']' && depth == 0) return;
    }
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int best = 0;
        if (strchr(line, '{') == NULL) continue;
        read_grid(line);
        search(number_after(line, "\"player\":"), DEPTH, -2 * WON, 2 * WON, &best);
        printf("{\"move\": %d}\n", best);
        fflush(stdout);
    }
    return 0;
}
