include "../playouts.pxi"
