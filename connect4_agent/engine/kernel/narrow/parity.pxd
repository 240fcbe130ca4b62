include "../parity.pxi"
