include "../followup.pxi"
