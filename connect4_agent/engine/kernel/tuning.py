"""The constants of the exact solver and its rules, of books, and one of every search.

The build makes constants of C of them: as variables, on which the C compiler cannot rely, they took 5 to 10 % of the
solver's time.
"""

INFINITY = (1 << 31) - 1
"""Larger than every score and every value; as a bound, it proves nothing."""

# Numbers of the attacker's discs for which answering in pairs pays, found by measuring on 7x6.
MIN_DISCS_PAIRS = 3
MAX_DISCS_PAIRS = 5

# Numbers of empty cells, found by measuring on 7x6.
MIN_EMPTY_TABLE = 7  # with fewer, searching is faster than a look-up
MAX_EMPTY_SMALL = 16  # the positions of the small part of the table
MIN_EMPTY_CHILD_RULES = 13
MIN_EMPTY_HELD = 5
MAX_DISCS_HELD = 6  # of the attacker: against longer plans the holding rule hardly ever proves anything
MIN_EMPTY_CHILD_PROBES = 12
MIN_EMPTY_MIRROR = 27
MIN_EMPTY_EVALUATED = 21
MAX_FLOOR_EVALUATED = 5  # beyond that, the question is about quick ends, which threats decide

# The order in which moves are tried: what each property of a move adds to its rank.
THREAT_VALUE = 512  # for each threat after it
RANK_VALUE = 64  # for each step nearer the centre
HISTORY_VALUE = 6  # scaled by HISTORY_SCALE: how often it caused a cutoff elsewhere; 384 for always
KILLER_VALUE = 128  # caused a cutoff at the last node with as many empty cells
BELOW_THREAT_VALUE = -768  # gives away a threat of one's own
WINDOW_VALUE = 16  # for each point that the evaluator gives for open windows
INDEX_MASK = (1 << 7) - 1  # of the lowest bits of a rank, for the index of its move: first come, first tried
TRIED = -(1 << 30)  # below the rank of any move

HISTORY_BITS = 16
HISTORY_SCALE = 10  # a shift
HISTORY_MEMORY = 6  # a shift: about the last 2**6 results count

WAYS = 4  # the entries of a bucket

SCORE_OFFSET = 32  # added to a score to make it a byte: no board of 64 bits has a score below -32
MAX_AHEAD = 4  # the plies that a layer looks ahead: up to 2,401 successors on 7x6, a fraction of a millisecond
