include "../solver.pxi"
