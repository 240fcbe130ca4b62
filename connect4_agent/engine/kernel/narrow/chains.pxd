include "../chains.pxi"
