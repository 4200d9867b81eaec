// Products with rows of M for all sequences of a tile, and the gradient at M, Σ_t δ_t z_tᵀ, over a few steps at once.

#pragma once

#include <cstring>
#include <utility>

#ifdef FEW
constexpr bool SPARE = true;  // lanes of the tile: products are then of those alone that have a sequence
#else
constexpr bool SPARE = false;
#endif
constexpr int BLOCK = 4;  // steps whose δ wait for one pass over the weight gradient: their operands fit the first cache
constexpr int GROUP = 3;  // vectors of columns of M that pass takes at once: ROWS x GROUP sums stay in registers
constexpr int HIDDEN_ROWS = padded(HIDDEN, ROWS);
constexpr int GROUPS = padded(COLUMNS, GROUP * WIDTH) / (GROUP * WIDTH);

static inline Real sum(const Lanes &x) {
  Real total = 0;
  for (int v = 0; v < VECTORS; v++) {
    Real part = 0;
    for (int lane = 0; lane < WIDTH; lane++) part += x.part[v][lane];
    total += part;
  }
  return total;
}

// Two rows of a square of vectors, row numbers apart by the bit HALF: swap the blocks off its diagonal.
template <int HALF, int... LANE>
static inline void exchange(Vector &a, Vector &b, std::integer_sequence<int, LANE...>) {
#ifdef __clang__
  const Vector low = __builtin_shufflevector(a, b, (LANE & HALF ? WIDTH + (LANE ^ HALF) : LANE)...);
  const Vector high = __builtin_shufflevector(a, b, (LANE & HALF ? WIDTH + LANE : LANE ^ HALF)...);
#else
  const Vector low = __builtin_shuffle(a, b, Integers{(LANE & HALF ? WIDTH + (LANE ^ HALF) : LANE)...});
  const Vector high = __builtin_shuffle(a, b, Integers{(LANE & HALF ? WIDTH + LANE : LANE ^ HALF)...});
#endif
  a = low, b = high;
}

template <int HALF = WIDTH / 2>
static inline void transpose(Vector (&square)[WIDTH]) {
#pragma GCC unroll 16
  for (int row = 0; row < WIDTH; row++)
    if (!(row & HALF)) exchange<HALF>(square[row], square[row | HALF], std::make_integer_sequence<int, WIDTH>{});
  if constexpr (HALF > 1) transpose<HALF / 2>(square);
}

// Operands z_t of a block of steps, transposed.
struct Transposed {
  Vector part[GROUPS][BLOCK][TILE][GROUP];

  void fill(const Lanes *z, int slot) {
    for (int group = 0; group < GROUPS; group++)
      for (int j = 0; j < GROUP; j++)
        for (int v = 0; v < VECTORS; v++) {
          Vector square[WIDTH];
          const int first = (group * GROUP + j) * WIDTH;
#pragma GCC unroll 16
          for (int i = 0; i < WIDTH; i++) square[i] = first + i < COLUMNS ? z[first + i].part[v] : Vector{};
          transpose(square);
#pragma GCC unroll 16
          for (int i = 0; i < WIDTH; i++) part[group][slot][v * WIDTH + i][j] = square[i];
        }
  }
};

// Rows of a tile's first lanes by columns of a matrix, units to a vector: in every column PARTS vectors from `matrix` on.
template <int LANES, int PARTS, int IN, int STRIDE>
static inline void accumulate(const Real *matrix, const Lanes *in, int lane, Vector (&out)[PARTS][WIDTH]) {
  Vector sums[LANES][PARTS] = {};
  for (int column = 0; column < IN; column++) {
    const Vector *weights = reinterpret_cast<const Vector *>(matrix + column * STRIDE);
    const Real *values = reinterpret_cast<const Real *>(in + column) + lane;
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i++)
#pragma GCC unroll 4
      for (int part = 0; part < PARTS; part++) sums[i][part] += values[i] * weights[part];
  }
  for (int i = 0; i < LANES; i++)
    for (int part = 0; part < PARTS; part++) out[part][(lane + i) % WIDTH] = sums[i][part];
}

// The same for all lanes of one vector that have a sequence, a few at once.
template <int PARTS, int IN, int STRIDE>
static inline void accumulate(const Real *matrix, const Lanes *in, int lane, int end, Vector (&out)[PARTS][WIDTH]) {
  for (; lane + 5 <= end; lane += 5) accumulate<5, PARTS, IN, STRIDE>(matrix, in, lane, out);
  if (end - lane == 4) accumulate<4, PARTS, IN, STRIDE>(matrix, in, lane, out);
  if (end - lane == 3) accumulate<3, PARTS, IN, STRIDE>(matrix, in, lane, out);
  if (end - lane == 2) accumulate<2, PARTS, IN, STRIDE>(matrix, in, lane, out);
  if (end - lane == 1) accumulate<1, PARTS, IN, STRIDE>(matrix, in, lane, out);
}

// out = matrix · in as `multiply`, bit for bit, of the lanes that have a sequence: where lanes are to spare. The matrix
// lies column by column, each padded to vectors.
template <int OUT, int IN, int ROW = 0>
static inline void multiply_members(const Real *matrix, const Lanes *in, Lanes *out, int members) {
  constexpr int STRIDE = padded(OUT, WIDTH), LEFT = (STRIDE - ROW) / WIDTH, PARTS = LEFT < ROWS / 2 ? LEFT : ROWS / 2;
  if constexpr (PARTS > 0) {
    for (int v = 0; v < VECTORS; v++) {
      Vector squares[PARTS][WIDTH] = {};
      const int first = v * WIDTH, end = members < first + WIDTH ? members : first + WIDTH;
      accumulate<PARTS, IN, STRIDE>(matrix + ROW, in, first, end, squares);
      for (int part = 0; part < PARTS; part++) {
        transpose(squares[part]);
        for (int i = 0; i < WIDTH; i++)
          if (const int row = ROW + part * WIDTH + i; row < padded(OUT, ROWS)) out[row].part[v] = squares[part][i];
      }
    }
    multiply_members<OUT, IN, ROW + PARTS * WIDTH>(matrix, in, out, members);
  }
}

// A matrix for it.
template <int OUT, typename Entry>
static void pack_columns(Real *packed, int columns, Entry entry) {
  constexpr int STRIDE = padded(OUT, WIDTH);
  for (int column = 0; column < columns; column++)
    for (int row = 0; row < STRIDE; row++) packed[column * STRIDE + row] = row < OUT ? entry(row, column) : Real(0);
}

// Rows of M that see the same operand: their product, the way back, and their weight gradient.
template <int COUNT>
struct Product {
  static constexpr int PADDED = padded(COUNT, ROWS);
  static constexpr long GRADIENT_VECTORS = long(PADDED) * GROUPS * GROUP;
  static constexpr int MULTIPLE = WIDTH > ROWS ? WIDTH : ROWS;

  Vector *gradient;
  Real *weights, *transposed;

  template <typename Take>
  void place(Take take) {
    take(&gradient, GRADIENT_VECTORS);
    take(&weights, long(padded(COUNT, MULTIPLE)) * COLUMNS);
    take(&transposed, long(padded(HIDDEN, MULTIPLE)) * COUNT);
  }

  void start(const Real *matrix) const {
    const auto entry = [&](int row, int column) { return matrix[row * COLUMNS + column]; };
    const auto reversed = [&](int row, int column) { return entry(column, row); };
    if (SPARE) {
      pack_columns<COUNT>(weights, COLUMNS, entry);
      pack_columns<HIDDEN>(transposed, COUNT, reversed);
    } else {
      pack<COLUMNS>(weights, COUNT, entry);
      pack<COUNT>(transposed, HIDDEN, reversed);
    }
    std::memset(gradient, 0, sizeof(Vector) * GRADIENT_VECTORS);
  }

  void forward(const Lanes *operand, Lanes *out, int members) const {
    if (SPARE)
      multiply_members<COUNT, COLUMNS>(weights, operand, out, members);
    else
      multiply<PADDED, COLUMNS>(weights, operand, out);
  }

  void backward(const Lanes *delta, Lanes *out, int members) const {
    if (SPARE)
      multiply_members<HIDDEN, COUNT>(transposed, delta, out, members);
    else
      multiply<HIDDEN_ROWS, COUNT>(transposed, delta, out);
  }

  // Add Σ_t δ_t z_tᵀ of a few steps over the first lanes.
  void add_gradient(const Lanes *delta, int delta_rows, const Transposed &operands, int steps, int members) const {
    for (int group = 0; group < GROUPS; group++)
      for (int row = 0; row < PADDED; row += ROWS) {
        Vector sums[ROWS][GROUP] = {};
        for (int t = 0; t < steps; t++) {
          const Real *left = reinterpret_cast<const Real *>(delta + t * delta_rows + row);
          const auto &right = operands.part[group][t];
          for (int sequence = 0; sequence < members; sequence++)
#pragma GCC unroll 8
            for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 3
              for (int j = 0; j < GROUP; j++) sums[i][j] += left[i * TILE + sequence] * right[sequence][j];
        }
        for (int i = 0; i < ROWS; i++)
          for (int j = 0; j < GROUP; j++) gradient[((row + i) * GROUPS + group) * GROUP + j] += sums[i][j];
      }
  }

  void collect_gradient(Real *out) const {
    const Real *values = reinterpret_cast<const Real *>(gradient);
    for (int row = 0; row < COUNT; row++)
      std::memcpy(out + row * COLUMNS, values + row * GROUPS * GROUP * WIDTH, sizeof(Real) * COLUMNS);
  }
};
