import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Talks to the manager: a request in each line, a move in each answer. The thinking is in Strategy.java. */
public class Agent {
    private static final Pattern GRID = Pattern.compile("\"grid\"\\s*:\\s*\\[([\\[\\]\\s,012]*)\\]\\s*\\]");
    private static final Pattern PLAYER = Pattern.compile("\"player\"\\s*:\\s*([12])\\b");

    public static void main(String[] words) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = in.readLine()) != null) {
            if (!line.isBlank()) {
                System.out.println(answer(line, words));
                System.out.flush(); // only answers go to standard output, and at once; print the rest to System.err
            }
        }
    }

    private static String answer(String line, String[] words) {
        int[][] grid = readGrid(line);
        int move = grid == null ? -1 : Strategy.choose(grid, playerOf(line, grid, words));
        return move < 0 ? "{\"error\": \"no move is possible\"}" : "{\"move\": " + move + "}";
    }

    /** Read a list of columns, such as [[0,0,2],[0,0,0]]; null if the line has none. */
    private static int[][] readGrid(String line) {
        Matcher found = GRID.matcher(line);
        if (!found.find()) {
            return null;
        }
        List<int[]> columns = new ArrayList<>();
        for (String part : found.group(1).split("\\]")) {
            columns.add(part.chars().filter(Character::isDigit).map(Character::getNumericValue).toArray());
        }
        int height = columns.get(0).length;
        boolean isGrid = height > 0 && columns.stream().allMatch(cells -> cells.length == height);
        return isGrid ? columns.toArray(new int[0][]) : null;
    }

    /** Who is to move: as the request says, or else the command line, or else the discs on the board. */
    private static int playerOf(String line, int[][] grid, String[] words) {
        Matcher found = PLAYER.matcher(line);
        if (found.find()) {
            return Integer.parseInt(found.group(1));
        }
        for (String word : words) { // --player 1 --width 7 ..., or 1 1 7 7 6 6
            if (word.equals("1") || word.equals("2")) {
                return Integer.parseInt(word);
            }
        }
        int[] discs = new int[3];
        for (int[] cells : grid) {
            for (int cell : cells) {
                discs[cell]++;
            }
        }
        return discs[2] < discs[1] ? 2 : 1;
    }
}
