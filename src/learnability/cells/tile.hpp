// A tile: the sequences that a cell of native.hpp runs through time at once, numbers `Real` side by side in vectors of this
// processor. -DNARROW halves it.

#pragma once

#if defined(__AVX512F__)
constexpr int BYTES = 64, ROWS = 8;  // 32 registers
#elif defined(__AVX__)
constexpr int BYTES = 32, ROWS = 4;  // 16 registers
#else
constexpr int BYTES = 16, ROWS = 4;  // 16 registers
#endif

constexpr int WIDTH = BYTES / sizeof(Real);
#ifdef NARROW
constexpr int VECTORS = 1;  // for batches that one vector holds
#else
constexpr int VECTORS = 2;  // vectors side by side: two chains of sums hide the latency of one
#endif
constexpr int TILE = WIDTH * VECTORS;
extern "C" int tile() { return TILE; }
