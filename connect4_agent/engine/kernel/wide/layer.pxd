include "../layer.pxi"
