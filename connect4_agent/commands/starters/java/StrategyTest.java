/** Tests of the strategy, run by `java StrategyTest`. A board is drawn as rows: . is empty, 1 and 2 are discs. */
public class StrategyTest {
    private static final String EMPTY = "....... ....... ....... ....... ....... .......";
    private static final String TWO_WANTS_COLUMN_0 = "....... ....... ....... 2...... 2..1... 2..11..";
    private static final String BOTH_WANT_THE_SIDES = "....... ....... 1.....2 1.....2 1.....2 2.....1";

    private static int failures = 0;

    public static void main(String[] words) {
        expect("it begins in the centre", EMPTY, 1, 3);
        expect("it blocks the opponent", TWO_WANTS_COLUMN_0, 1, 0);
        expect("it wins rather than blocks, as player 1", BOTH_WANT_THE_SIDES, 1, 0);
        expect("it wins rather than blocks, as player 2", BOTH_WANT_THE_SIDES, 2, 6);
        expect("it plays the last open column", "121212. 2121212 1212121", 1, 6);
        System.out.println(failures == 0 ? "all tests passed" : failures + " tests failed");
        System.exit(failures == 0 ? 0 : 1);
    }

    /** Play on the board of a drawing, and report a column that is not the expected one. */
    private static void expect(String behaviour, String drawing, int player, int expected) {
        String[] rows = drawing.split(" ");
        int[][] grid = new int[rows[0].length()][rows.length];
        for (int x = 0; x < grid.length; x++) {
            for (int y = 0; y < rows.length; y++) {
                grid[x][y] = ".12".indexOf(rows[y].charAt(x));
            }
        }
        int column = Strategy.choose(grid, player);
        if (column != expected) {
            failures++;
            System.out.println("failed: " + behaviour + ": played " + column + ", expected " + expected);
        }
    }
}
