include "../fours.pxi"
