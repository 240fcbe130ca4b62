import java.util.ArrayList;
import java.util.List;

/**
 * Chooses a column. This is the file to improve.
 *
 * <p>grid[column][row]: columns from left to right, rows from top to bottom; 0 is empty, 1 and 2 are discs.
 */
public class Strategy {
    private static final int[][] DIRECTIONS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    /** Win if possible, otherwise stop the opponent from winning, otherwise play near the centre; -1 if all is full. */
    public static int choose(int[][] grid, int player) {
        List<Integer> columns = openColumns(grid);
        for (int who : new int[] {player, 3 - player}) {
            for (int column : columns) {
                if (wins(grid, column, who)) {
                    return column;
                }
            }
        }
        return columns.isEmpty() ? -1 : columns.get(0);
    }

    /** The columns that are not full, counted from 0, the nearest to the centre first. */
    private static List<Integer> openColumns(int[][] grid) {
        List<Integer> columns = new ArrayList<>();
        for (int column = 0; column < grid.length; column++) {
            if (grid[column][0] == 0) {
                columns.add(column);
            }
        }
        columns.sort((one, other) -> Math.abs(2 * one - grid.length + 1) - Math.abs(2 * other - grid.length + 1));
        return columns;
    }

    /** Whether a disc of this player in this column, which must not be full, makes four in a row. */
    private static boolean wins(int[][] grid, int column, int player) {
        int row = 0;
        while (row + 1 < grid[column].length && grid[column][row + 1] == 0) {
            row++;
        }
        for (int[] way : DIRECTIONS) {
            int length = run(grid, player, column, row, way[0], way[1]) + run(grid, player, column, row, -way[0], -way[1]);
            if (length >= 3) {
                return true;
            }
        }
        return false;
    }

    /** The number of the player's discs in a row, next to a cell in one direction. */
    private static int run(int[][] grid, int player, int column, int row, int dx, int dy) {
        int length = 0;
        int x = column + dx;
        int y = row + dy;
        while (x >= 0 && x < grid.length && y >= 0 && y < grid[x].length && grid[x][y] == player) {
            length++;
            x += dx;
            y += dy;
        }
        return length;
    }
}
