"""The constants of the exact solver and its rules; tuning.pxi has their values for compiled code.

Compiled code gets them as constants of C: as variables, on which the C compiler cannot rely, they took 5 to 10 % of
its time.
"""

BEYOND = 1 << 20
"""Larger than every score; as a bound, it proves nothing."""

# Numbers of the attacker's discs for which answering in pairs pays, found by measuring on 7x6.
LEAST_DISCS_PAIRS = 3
MOST_DISCS_PAIRS = 5

# Numbers of empty cells, found by measuring on 7x6.
LEAST_EMPTY_TABLE = 7  # with fewer, searching is faster than a look-up
MOST_EMPTY_SMALL = 16  # the positions of the small part of the table
LEAST_EMPTY_CHILD_RULES = 13
LEAST_EMPTY_HELD = 5
MOST_DISCS_HELD = 6  # of the attacker: against longer plans the holding rule hardly ever proves anything
LEAST_EMPTY_CHILD_PROBES = 12
LEAST_EMPTY_MIRROR = 27
LEAST_EMPTY_EVALUATED = 21
LEAST_EMPTY_SHARED = 20  # of the positions that two threads do not search at the same time, if they can help it
MOST_FLOOR_EVALUATED = 5  # beyond that, the question is about quick ends, which threats decide

# The order in which moves are tried: what each property of a move adds to its rank.
THREAT_VALUE = 512  # for each threat after it
RANK_VALUE = 64  # for each step nearer the centre
HISTORY_VALUE = 6  # scaled by HISTORY_SCALE: how often it caused a cutoff elsewhere; 384 for always
KILLER_VALUE = 128  # caused a cutoff at the last node with as many empty cells
BELOW_THREAT_VALUE = -768  # gives away a threat of one's own
WINDOW_VALUE = 16  # for each point that the evaluator gives for open windows
PLACE_MASK = (1 << 7) - 1  # of the lowest bits of a rank, for the place of its move: first come, first tried
TRIED = -(1 << 30)  # below the rank of any move
DEFERRED = -(1 << 28)  # added to the rank of a move that the other thread is searching

HISTORY_BITS = 16
HISTORY_SCALE = 10  # a shift
HISTORY_MEMORY = 6  # a shift: about the last 2**6 results count

WAYS = 4  # the entries of a bucket

# The desk. Its state is FINISHED, or the number of a question, followed by the answer: 0 as long as there is none.
STATE = 16  # a cache line from the beginning, so that nothing else is written nearby
FLOOR = 17
ANSWER_BITS = 15
ANSWER_OFFSET = 1 << ANSWER_BITS - 1
ANSWER_MASK = (1 << ANSWER_BITS) - 1
FINISHED = -1
