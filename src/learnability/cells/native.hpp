// Cells in C++: what training and measurement share. One thread; the batch is the vector, one sequence to a lane.
//
// Compiled for one network: -DCELL (Leaky, LSTM or GRU, below; RNN or RelRNN), -DHIDDEN, -DINPUT, and of Leaky -DGATES
// (learned gates a step: 0 ConstGate, 1 SharedGate, HIDDEN DiagGate) and -DLAYER_NORM (0 or 1) are constants, so that every
// loop has known bounds. Who includes this says first what a number is: `using Real = float;` or double. -DNARROW halves
// the tile.
//
// At each step
//     z_t = [h_{t-1}; x_t; 1],      p_t = M z_t,      M = [U W b], a row for each unit of each path.
// A cell may have a second product, with other rows of M, whose operand [·; x_t; 1] depends on the first. What a cell has
// beside M, gain and offset of layer norm, lies behind it.

#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

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

constexpr int padded(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

constexpr int COLUMNS = HIDDEN + INPUT + 1;

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

// A cell: FIRST and SECOND rows of the two products, HELD parts of HIDDEN numbers of its state, MEMORY rows kept beside h
// (of the state, then what the way back needs), SCRATCH rows kept once, BESIDE parameters that are not in M, as many
// DIAGONALS, CROSSED rows of `crossing`, a matrix that they need, whether its output is `filtered`, not h_t, and its
// formulas
//   between, forward             from the first product to the operand of the second; from both to h_t,
//   backward, between_backward   from G_t to δ_t, save what needs `returned`; from `returned` to the rest of δ_t,
//   between_tangent, tangent     from dp_t of the first product to that operand's; from both to dh_t,
//   diagonals                    of the one-step Jacobian; a cell without these last ones is trained and not measured.

// h_t = h_{t-1} + s_t ⊙ (g_t - h_{t-1}). Rows: [g; s].
//
// With layer norm p^g is the deviation from the mean over units (the rows of M are their deviations, see native.py), and
//     g = tanh(gain ⊙ n + offset),      n = p^g / d,      d² = |p^g|²/H + ε,      dn = (I - n nᵀ/H) dp^g / d.
// Beside M: [gain; offset]; memory: [n; 1/d].
struct Leaky {
  static constexpr int FIRST = HIDDEN + GATES, SECOND = 0, DIAGONALS = 2, HELD = 1;
  static constexpr int MEMORY = LAYER_NORM ? HIDDEN + 1 : 0, BESIDE = LAYER_NORM ? 2 * HIDDEN : 0;
  static constexpr int CROSSED = LAYER_NORM ? HIDDEN : 0, SCRATCH = 0;
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr Real EPSILON = 1e-5;  // as in leaky.py
  Real constant_gate;
  const Real *gain;  // and, HIDDEN further, offset

  Vector gate(const Lanes *activation, int unit, int v) const {
    if (GATES == 0) return Vector{} + constant_gate;
    return activation[HIDDEN + (GATES == 1 ? 0 : unit)].part[v];
  }

  // U_hᵀ.
  static Real crossing(const Real *matrix, int row, int column) { return matrix[column * COLUMNS + row]; }

  void normalise(const Step &at) const {
    for (int v = 0; v < VECTORS; v++) {
      Vector squares = {};
      for (int unit = 0; unit < HIDDEN; unit++) squares += at.first[unit].part[v] * at.first[unit].part[v];
      const Vector inverse = Real(1) / square_root(squares / Real(HIDDEN) + EPSILON);
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector n = at.first[unit].part[v] * inverse;
        at.memory[unit].part[v] = n;
        at.first[unit].part[v] = gain[unit] * n + gain[HIDDEN + unit];
      }
      at.memory[HIDDEN].part[v] = inverse;
    }
  }

  // From dp^g to dn, in place; and, as the matrix between them is symmetric, from the gradient at n to δ^g.
  static void through_normalised(const Step &at, Lanes *rows) {
    for (int v = 0; v < VECTORS; v++) {
      Vector along = {};
      for (int unit = 0; unit < HIDDEN; unit++) along += at.memory[unit].part[v] * rows[unit].part[v];
      along /= Real(HIDDEN);
      for (int unit = 0; unit < HIDDEN; unit++) {
        Vector &row = rows[unit].part[v];
        row = (row - at.memory[unit].part[v] * along) * at.memory[HIDDEN].part[v];
      }
    }
  }

  void between(const Step &) const {}

  void forward(const Step &at) const {
    if (LAYER_NORM) normalise(at);
    for (int row = 0; row < FIRST; row++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &a = at.first[row].part[v];
        a = row < HIDDEN ? hyperbolic_tangent(a) : sigmoid(a);
      }
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v];
        at.next[unit].part[v] = h + gate(at.first, unit, v) * (at.first[unit].part[v] - h);
      }
  }

  // δ^g = G s (1 - g²), δ^s = G (g - h) s (1 - s), and G (1 - s) goes on. With layer norm δ^g is first that behind it.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int v = 0; v < VECTORS; v++) {
      Vector shared = {};
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector total = gradient.carried[unit].part[v], g = at.first[unit].part[v];
        const Vector s = gate(at.first, unit, v), keep = Real(1) - s;
        gradient.first[unit].part[v] = total * s * (Real(1) - g * g);
        const Vector to_gate = total * (g - at.previous[unit].part[v]) * s * keep;
        if (GATES == 1) shared += to_gate;
        if (GATES > 1) gradient.first[HIDDEN + unit].part[v] = to_gate;
        gradient.carried[unit].part[v] = total * keep;
      }
      if (GATES == 1) gradient.first[HIDDEN].part[v] = shared;
    }
    if (!LAYER_NORM) return;
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &delta = gradient.first[unit].part[v];
        gradient.beside[unit].part[v] += delta * at.memory[unit].part[v];
        gradient.beside[HIDDEN + unit].part[v] += delta;
        delta *= gain[unit];
      }
    through_normalised(at, gradient.first);
  }

  void between_backward(const Step &, const Gradient &) const {}

  void between_tangent(const Step &, const Tangent &) const {}

  void tangent(const Step &at, const Tangent &along) const {
    if (LAYER_NORM) {
      through_normalised(at, along.first);
      for (int unit = 0; unit < HIDDEN; unit++)
        for (int v = 0; v < VECTORS; v++) {
          Vector &moved = along.first[unit].part[v];
          moved = gain[unit] * moved + along.beside[unit] * at.memory[unit].part[v] + along.beside[HIDDEN + unit];
        }
    }
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector g = at.first[unit].part[v], s = gate(at.first, unit, v), keep = Real(1) - s;
        Vector moved = keep * along.previous[unit].part[v] + s * (Real(1) - g * g) * along.first[unit].part[v];
        if (GATES) moved += (g - at.previous[unit].part[v]) * s * keep * gate(along.first, unit, v);
        along.next[unit].part[v] = moved;
      }
  }

  void between_diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < CROSSED; unit++) to.mixed[unit] = at.memory[unit];
  }

  // With layer norm (n U_h)_q stands in `crossed`: U_qq becomes gain_q (U_qq - n_q (n U_h)_q/H) / d.
  void diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector g = at.first[unit].part[v], s = gate(at.first, unit, v), keep = Real(1) - s;
        Vector mixing = s * (Real(1) - g * g);
        if (LAYER_NORM)
          mixing *= gain[unit] * at.memory[HIDDEN].part[v] *
                    (to.own[unit] - at.memory[unit].part[v] * to.crossed[unit].part[v] / Real(HIDDEN));
        else
          mixing *= to.own[unit];
        if (GATES) mixing += (g - at.previous[unit].part[v]) * s * keep * to.own[HIDDEN + unit];
        to.retention[unit].part[v] = keep;
        to.mixing[unit].part[v] = mixing;
      }
  }
};

// c_t = f_t ⊙ c_{t-1} + i_t ⊙ g_t, h_t = o_t ⊙ tanh(c_t). Rows: [i; f; o; g]; memory: [c; tanh(c)].
struct LSTM {
  static constexpr int FIRST = 4 * HIDDEN, SECOND = 0, DIAGONALS = 4, HELD = 2, MEMORY = 2 * HIDDEN;
  static constexpr int BESIDE = 0, CROSSED = 0, SCRATCH = 0;
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr int I = 0, F = HIDDEN, O = 2 * HIDDEN, G = 3 * HIDDEN;
  Real unused;
  const Real *nothing;

  static Real crossing(const Real *, int, int) { return 0; }

  void between(const Step &) const {}

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &i = at.first[I + unit].part[v], &f = at.first[F + unit].part[v];
        Vector &o = at.first[O + unit].part[v], &g = at.first[G + unit].part[v];
        i = sigmoid(i), f = sigmoid(f), o = sigmoid(o), g = hyperbolic_tangent(g);
        const Vector c = f * at.previous_memory[unit].part[v] + i * g, expressed = hyperbolic_tangent(c);
        at.memory[unit].part[v] = c;
        at.memory[HIDDEN + unit].part[v] = expressed;
        at.next[unit].part[v] = o * expressed;
      }
  }

  // With C = ∂L/∂c_t in full: δ^o = G tanh(c) o (1 - o), δ^i = C g i (1 - i), δ^f = C c_{t-1} f (1 - f),
  // δ^g = C i (1 - g²), and C f goes on.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = at.memory[HIDDEN + unit].part[v], total = gradient.carried[unit].part[v];
        const Vector of_c = gradient.memory[unit].part[v] + total * o * (Real(1) - expressed * expressed);
        gradient.first[I + unit].part[v] = of_c * g * i * (Real(1) - i);
        gradient.first[F + unit].part[v] = of_c * at.previous_memory[unit].part[v] * f * (Real(1) - f);
        gradient.first[O + unit].part[v] = total * expressed * o * (Real(1) - o);
        gradient.first[G + unit].part[v] = of_c * i * (Real(1) - g * g);
        gradient.memory[unit].part[v] = of_c * f;
        gradient.carried[unit].part[v] = Vector{};
      }
  }

  void between_backward(const Step &, const Gradient &) const {}

  void between_tangent(const Step &, const Tangent &) const {}

  void tangent(const Step &at, const Tangent &along) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = at.memory[HIDDEN + unit].part[v];
        const Vector of_c = f * along.memory[unit].part[v] + g * i * (Real(1) - i) * along.first[I + unit].part[v] +
                            at.previous_memory[unit].part[v] * f * (Real(1) - f) * along.first[F + unit].part[v] +
                            i * (Real(1) - g * g) * along.first[G + unit].part[v];
        along.memory[unit].part[v] = of_c;
        along.next[unit].part[v] = expressed * o * (Real(1) - o) * along.first[O + unit].part[v] +
                                   o * (Real(1) - expressed * expressed) * of_c;
      }
  }

  void between_diagonals(const Step &, const Diagonals &) const {}

  void diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = at.memory[HIDDEN + unit].part[v];
        to.retention[unit].part[v] = f;
        to.mixing[unit].part[v] = g * i * (Real(1) - i) * to.own[I + unit] +
                                  at.previous_memory[unit].part[v] * f * (Real(1) - f) * to.own[F + unit] +
                                  i * (Real(1) - g * g) * to.own[G + unit];
        to.expression[unit].part[v] = o * (Real(1) - expressed * expressed);
        to.output[unit].part[v] = expressed * o * (Real(1) - o) * to.own[O + unit];
      }
  }
};

// h_t = h_{t-1} + z_t ⊙ (g_t - h_{t-1}), g_t with U_h (r_t ⊙ h_{t-1}). Rows: [z; r] and [g].
struct GRU {
  static constexpr int FIRST = 2 * HIDDEN, SECOND = HIDDEN, DIAGONALS = 3, HELD = 1, MEMORY = 0;
  static constexpr int BESIDE = 0, CROSSED = HIDDEN, SCRATCH = 0;
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr int Z = 0, R = HIDDEN, G = 2 * HIDDEN;
  Real unused;
  const Real *nothing;

  // U_h ∘ U_rᵀ.
  static Real crossing(const Real *matrix, int row, int column) {
    return matrix[(G + row) * COLUMNS + column] * matrix[(R + column) * COLUMNS + row];
  }

  void between(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &z = at.first[Z + unit].part[v], &r = at.first[R + unit].part[v];
        z = sigmoid(z), r = sigmoid(r);
        at.filtered[unit].part[v] = r * at.previous[unit].part[v];
      }
  }

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &g = at.second[unit].part[v];
        const Vector h = at.previous[unit].part[v];
        g = hyperbolic_tangent(g);
        at.next[unit].part[v] = h + at.first[Z + unit].part[v] * (g - h);
      }
  }

  // δ^z = G (g - h) z (1 - z), δ^g = G z (1 - g²), and G (1 - z) goes on.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector total = gradient.carried[unit].part[v], h = at.previous[unit].part[v];
        const Vector z = at.first[Z + unit].part[v], g = at.second[unit].part[v], keep = Real(1) - z;
        gradient.first[Z + unit].part[v] = total * (g - h) * z * keep;
        gradient.second[unit].part[v] = total * z * (Real(1) - g * g);
        gradient.carried[unit].part[v] = total * keep;
      }
  }

  // With q = U_hᵀ δ^g: δ^r = q h r (1 - r), and q r goes on.
  void between_backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector q = gradient.returned[unit].part[v], r = at.first[R + unit].part[v];
        gradient.first[R + unit].part[v] = q * at.previous[unit].part[v] * r * (Real(1) - r);
        gradient.carried[unit].part[v] += q * r;
      }
  }

  void between_tangent(const Step &at, const Tangent &along) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v], r = at.first[R + unit].part[v];
        along.filtered[unit].part[v] =
            r * along.previous[unit].part[v] + h * r * (Real(1) - r) * along.first[R + unit].part[v];
      }
  }

  void tangent(const Step &at, const Tangent &along) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v], z = at.first[Z + unit].part[v], g = at.second[unit].part[v];
        const Vector keep = Real(1) - z;
        along.next[unit].part[v] = keep * along.previous[unit].part[v] +
                                   (g - h) * z * keep * along.first[Z + unit].part[v] +
                                   z * (Real(1) - g * g) * along.second[unit].part[v];
      }
  }

  void between_diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector r = at.first[R + unit].part[v];
        to.reset[unit].part[v] = r;
        to.mixed[unit].part[v] = at.previous[unit].part[v] * r * (Real(1) - r);
      }
  }

  void diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v], z = at.first[Z + unit].part[v], g = at.second[unit].part[v];
        const Vector keep = Real(1) - z, filtered = at.first[R + unit].part[v] * to.own[G + unit] + to.crossed[unit].part[v];
        to.retention[unit].part[v] = keep;
        to.mixing[unit].part[v] = (g - h) * z * keep * to.own[Z + unit] + z * (Real(1) - g * g) * filtered;
      }
  }
};

#include "vanilla.hpp"
#include "attentive.hpp"

constexpr int STATE = CELL::HELD * HIDDEN;  // h, and the LSTM's c
constexpr long MATRIX = long(CELL::FIRST + CELL::SECOND) * COLUMNS, PARAMETERS = MATRIX + CELL::BESIDE;
