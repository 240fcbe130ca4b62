include "../evaluators.pxi"
