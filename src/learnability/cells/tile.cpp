// The widest tile of this processor for numbers -DREAL, without a cell.

typedef REAL Real;
#include "tile.hpp"
