// Cells in C++: what training and measurement share. One thread; the batch is the vector, one sequence to a lane.
//
// Compiled for one network: -DCELL (Leaky, LSTM, GRU; for training RNN, GORU, MemRNN, MemLSTM, RelRNN, RelLSTM, SAB),
// -DHIDDEN, -DINPUT, and of Leaky -DGATES (learned gates a step: 0 ConstGate, 1 SharedGate, HIDDEN DiagGate) and
// -DLAYER_NORM (0 or 1) are constants, so that every loop has known bounds. Who includes this says first what a number is:
// `using Real = float;` or double. -DNARROW halves the tile.
//
// At each step
//     z_t = [h_{t-1}; x_t; 1],      p_t = M z_t,      M = [U W b], a row for each unit of each path.
// A cell may have a second product, with other rows of M, whose operand [·; x_t; 1] depends on the first. What a cell has
// beside M, gain and offset of layer norm, lies behind it.

#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tile.hpp"

constexpr int padded(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

constexpr int COLUMNS = HIDDEN + INPUT + 1;
// Odd strides in time: the same row of successive steps must not fall into the same set of the cache.
constexpr int Z_ROWS = COLUMNS | 1;

typedef std::conditional<sizeof(Real) == 4, int32_t, int64_t>::type Integer;
typedef Real Vector __attribute__((vector_size(BYTES)));
typedef Integer Integers __attribute__((vector_size(BYTES)));

// One number of every sequence of a tile.
struct Lanes {
  Vector part[VECTORS];
};

template <typename Number>
struct Exponential;

template <>
struct Exponential<float> {  // Cephes
  static constexpr float LOWEST = -87, HIGHEST = 88, SHIFT = 12582912.0f, LN2 = 0.693359375f, LN2_REST = -2.12194440e-4f;
  static constexpr int MANTISSA = 23;
  static constexpr float POLYNOMIAL[] = {1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                         4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
};

template <>
struct Exponential<double> {  // 1/k!, k = 13, …, 2
  static constexpr double LOWEST = -708, HIGHEST = 709, SHIFT = 6755399441055744.0;
  static constexpr double LN2 = 6.93145751953125e-1, LN2_REST = 1.42860682030941723212e-6;
  static constexpr int MANTISSA = 52;
  static constexpr double POLYNOMIAL[] = {1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0, 1 / 3628800.0,
                                          1 / 362880.0,     1 / 40320.0,     1 / 5040.0,     1 / 720.0,
                                          1 / 120.0,        1 / 24.0,        1 / 6.0,        1 / 2.0};
};

// e^x = scale (1 + rest), scale a power of 2: by range reduction to |r| ≤ ln2/2 and a polynomial; NaN passes.
struct Power {
  Vector scale, rest;

  explicit Power(Vector x) {
    using E = Exponential<Real>;
    x = x > E::HIGHEST ? Vector{} + E::HIGHEST : x;
    x = x < E::LOWEST ? Vector{} + E::LOWEST : x;
    const Vector shift = Vector{} + E::SHIFT;  // adding it rounds to an integer in the low bits
    const Vector shifted = x * Real(1.4426950408889634) + shift;
    const Vector n = shifted - shift;
    const Vector r = (x - n * E::LN2) - n * E::LN2_REST;
    Vector p = Vector{} + E::POLYNOMIAL[0];
    for (unsigned k = 1; k < sizeof E::POLYNOMIAL / sizeof(Real); k++) p = p * r + E::POLYNOMIAL[k];
    rest = p * r * r + r;
    scale = (Vector)((Integers)(Vector{} + Real(1)) + (((Integers)shifted - (Integers)shift) << E::MANTISSA));
  }
};

static inline Vector exponential(Vector x) {
  const Power e(x);
  return e.scale * e.rest + e.scale;
}

static inline Vector sigmoid(Vector x) {
  return Real(1) / (Real(1) + exponential(-x));
}

// (e^{2x} - 1) / (e^{2x} + 1), to full relative precision.
static inline Vector hyperbolic_tangent(Vector x) {
  const Power e(x + x);
  const Vector less_one = e.scale * e.rest + (e.scale - Real(1));
  return less_one / (less_one + Real(2));
}

static inline Vector square_root(Vector x) {
  for (int lane = 0; lane < WIDTH; lane++) x[lane] = std::sqrt(x[lane]);
  return x;
}

static inline void add(Lanes *to, const Lanes *rows) {
  for (int unit = 0; unit < HIDDEN; unit++)
    for (int v = 0; v < VECTORS; v++) to[unit].part[v] += rows[unit].part[v];
}

// A matrix for `multiply`: blocks of ROWS rows, each column's ROWS values side by side; missing rows are 0.
template <int COUNT, typename Entry>
static void pack(Real *packed, int rows, Entry entry) {
  for (int block = 0; block < padded(rows, ROWS) / ROWS; block++)
    for (int column = 0; column < COUNT; column++)
      for (int row = 0; row < ROWS; row++) {
        const int index = block * ROWS + row;
        packed[(block * COUNT + column) * ROWS + row] = index < rows ? entry(index, column) : Real(0);
      }
}

// out = matrix · in, for all sequences of a tile.
template <int OUT, int IN>
static inline void multiply(const Real *__restrict matrix, const Lanes *__restrict in, Lanes *__restrict out) {
  for (int block = 0; block < OUT / ROWS; block++) {
    Vector sums[ROWS][VECTORS] = {};
    for (int column = 0; column < IN; column++) {
      const Real *weights = matrix + (block * IN + column) * ROWS;
#pragma GCC unroll 8
      for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 2
        for (int v = 0; v < VECTORS; v++) sums[row][v] += weights[row] * in[column].part[v];
    }
    for (int row = 0; row < ROWS; row++)
      for (int v = 0; v < VECTORS; v++) out[block * ROWS + row].part[v] = sums[row][v];
  }
}

// Rows of a tile at step t.
struct Step {
  Lanes *first, *second;         // of each product: pre-activations, which become activations
  const Lanes *previous;         // h_{t-1}
  Lanes *next;                   // h_t
  Lanes *filtered;               // what stands for h_{t-1} in the second product
  const Lanes *previous_memory;  // what the cell keeps beside h_{t-1}
  Lanes *memory;                 // and beside h_t
  long t;                        // from 0
  Lanes *scratch;                // what the cell keeps of all steps at once
  int stride;                    // of `first` and `second` from step to step; Z_ROWS is that of h and `filtered`
  bool detached;                 // whether the recurrence sends no gradient back to t-1
};

// The gradient on its way back over a step.
struct Gradient {
  Lanes *carried;                // G_t = ∂L/∂h_t in full; becomes the part of G_{t-1} that bypasses M
  Lanes *memory;                 // gradient at the memory, of t and then of t-1
  Lanes *first, *second;         // δ_t = ∂L/∂p_t
  const Lanes *returned;         // gradient at `filtered`
  Lanes *beside;                 // to which that at what the cell has beside M is added
};

// A derivative along some direction on its way over a step.
struct Tangent {
  Lanes *first;                  // dp_t
  const Lanes *second;
  const Lanes *previous;         // dh_{t-1}
  Lanes *next;                   // dh_t
  Lanes *filtered;               // of `filtered`
  Lanes *memory;                 // of what the cell keeps beside h, of t-1 and then of t
  const Real *beside;            // the direction's part of what the cell has beside M
};

// The diagonals that first-order windows need (`Diagonals` of linearization.py).
struct Diagonals {
  const Real *own;               // U_qq, a row of H for each path, in the order of the rows of M
  Lanes *retention, *mixing, *expression, *output, *reset;
  Lanes *mixed;                  // GRU: the factor of its reset path; Leaky with layer norm: n
  const Lanes *crossed;          // `crossing` times it
};

// A cell: FIRST and SECOND rows of the two products, DETACHED of the first that send no gradient back where the step is
// detached, HELD parts of HIDDEN numbers of its state, MEMORY rows kept beside h (of the state, then what the way back
// needs), `scratch` rows kept of so many steps together, BESIDE parameters that are not in M, as many DIAGONALS, CROSSED
// rows of `crossing`, a matrix that they need, whether its output is `filtered`, not h_t, and its formulas
//   between, forward             from the first product to the operand of the second; from both to h_t,
//   backward, between_backward   from G_t to δ_t, save what needs `returned`; from `returned` to the rest of δ_t,
//   between_tangent, tangent     from dp_t of the first product to that operand's; from both to dh_t,
//   diagonals                    of the one-step Jacobian; a cell without these last ones is trained and not measured.

#include "leaky.hpp"
#include "lstm.hpp"
#include "gru.hpp"
#include "vanilla.hpp"
#include "goru.hpp"
#include "memory.hpp"
#include "attentive.hpp"
#include "sab.hpp"

constexpr int STATE = CELL::HELD * HIDDEN;  // h, and the LSTM's c
constexpr long MATRIX = long(CELL::FIRST + CELL::SECOND) * COLUMNS, PARAMETERS = MATRIX + CELL::BESIDE;
