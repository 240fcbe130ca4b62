include "../tuning.pxi"
