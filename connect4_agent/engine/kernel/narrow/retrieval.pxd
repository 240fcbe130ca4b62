include "../retrieval.pxi"
