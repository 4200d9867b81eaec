// Forward pass, backpropagation through time and weight gradients of one recurrent cell: float32, one thread.
//
// Compiled for one network: -DCELL (Leaky, LSTM or GRU, below), -DHIDDEN, -DINPUT and -DGATES (learned gates a step of
// Leaky: 0 ConstGate, 1 SharedGate, HIDDEN DiagGate) are constants, so that every loop has known bounds.
//
// The batch is the vector: a tile of sequences runs through all of time, one sequence to a lane. At each step
//     z_t = [h_{t-1}; x_t; 1],      p_t = M z_t,      M = [U W b], a row for each unit of each path,
// and the weight gradient is Σ_t δ_t z_tᵀ with δ_t = ∂L/∂p_t. M and Mᵀ stay in cache, states and activations stream.
// That last sum runs over the lanes: there z_t is transposed, a column to a lane.
// A cell may have a second product, with other rows of M, whose operand [·; x_t; 1] hangs on the first.

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__AVX512F__)
constexpr int WIDTH = 16, ROWS = 8;  // 32 registers of 64 bytes
#elif defined(__AVX__)
constexpr int WIDTH = 8, ROWS = 4;  // 16 registers of 32 bytes
#else
constexpr int WIDTH = 4, ROWS = 4;  // 16 registers of 16 bytes
#endif

constexpr int VECTORS = 2;  // vectors side by side: two chains of sums hide the latency of one
constexpr int BLOCK = 4;  // steps whose δ wait for one pass over the weight gradient: their operands fit the first cache
constexpr int GROUP = 3;  // vectors of columns of M that pass takes at once: ROWS x GROUP sums stay in registers
constexpr int TILE = WIDTH * VECTORS;

constexpr int padded(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

constexpr int COLUMNS = HIDDEN + INPUT + 1;
constexpr int HIDDEN_ROWS = padded(HIDDEN, ROWS);
// Odd strides in time: the same row of successive steps must not fall into the same set of the cache.
constexpr int Z_ROWS = COLUMNS | 1;
constexpr int GROUPS = padded(COLUMNS, GROUP * WIDTH) / (GROUP * WIDTH);

typedef float Vector __attribute__((vector_size(4 * WIDTH)));
typedef int32_t Integers __attribute__((vector_size(4 * WIDTH)));

// One number of every sequence of a tile.
struct Lanes {
  Vector part[VECTORS];
};

// e^x by range reduction to |r| ≤ ln2/2 and a minimax polynomial (Cephes), within 2 units in the last place; NaN passes.
static inline Vector exponential(Vector x) {
  x = x > 88.0f ? Vector{} + 88.0f : x;
  x = x < -87.0f ? Vector{} - 87.0f : x;
  const Vector shift = Vector{} + 12582912.0f;  // adding 1.5·2²³ rounds to an integer in the low bits
  const Vector shifted = x * 1.44269504f + shift;
  const Vector n = shifted - shift;
  const Vector r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Vector p = 1.9875691500e-4f * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const Vector y = p * r * r + r + 1.0f;
  return (Vector)((Integers)y + (((Integers)shifted - (Integers)shift) << 23));
}

static inline Vector sigmoid(Vector x) { return 1.0f / (1.0f + exponential(-x)); }

static inline Vector hyperbolic_tangent(Vector x) { return 2.0f * sigmoid(2.0f * x) - 1.0f; }

static inline float sum(const Vector &x) {
  float total = 0;
  for (int lane = 0; lane < WIDTH; lane++) total += x[lane];
  return total;
}

// A matrix for `multiply`: blocks of ROWS rows, each column's ROWS values side by side; missing rows are 0.
template <int COUNT, typename Entry>
static void pack(float *packed, int rows, Entry entry) {
  for (int block = 0; block < padded(rows, ROWS) / ROWS; block++)
    for (int column = 0; column < COUNT; column++)
      for (int row = 0; row < ROWS; row++) {
        const int index = block * ROWS + row;
        packed[(block * COUNT + column) * ROWS + row] = index < rows ? entry(index, column) : 0.0f;
      }
}

// out = matrix · in, for all sequences of a tile.
template <int OUT, int IN>
static inline void multiply(const float *__restrict matrix, const Lanes *__restrict in, Lanes *__restrict out) {
  for (int block = 0; block < OUT / ROWS; block++) {
    Vector sums[ROWS][VECTORS] = {};
    for (int column = 0; column < IN; column++) {
      const float *weights = matrix + (block * IN + column) * ROWS;
#pragma GCC unroll 8
      for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 2
        for (int v = 0; v < VECTORS; v++) sums[row][v] += weights[row] * in[column].part[v];
    }
    for (int row = 0; row < ROWS; row++)
      for (int v = 0; v < VECTORS; v++) out[block * ROWS + row].part[v] = sums[row][v];
  }
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

// Rows of a tile that a cell reads and writes at step t.
struct Step {
  Lanes *first, *second;                       // of each product: pre-activations, which become activations
  const Lanes *previous;                       // h_{t-1}
  Lanes *next;                                 // h_t
  Lanes *filtered;                             // what stands for h_{t-1} in the second product
  const Lanes *previous_memory;                // what the cell keeps beside h_{t-1}
  Lanes *memory;                               // and beside h_t
  Lanes *carried;                              // G_t = ∂L/∂h_t in full; becomes the part of G_{t-1} that bypasses M
  Lanes *carried_memory;                       // gradient at the memory, of t and then of t-1
  Lanes *delta_first, *delta_second;           // δ_t
  const Lanes *returned;                       // gradient at `filtered`
};

// A cell: FIRST and SECOND rows of the two products, MEMORY rows kept beside h, and its formulas
//   between            from the first product to the operand of the second,
//   forward            from both products to h_t,
//   backward           from G_t to δ_t, save what needs `returned`,
//   between_backward   from `returned` to the rest of δ_t.

// h_t = h_{t-1} + s_t ⊙ (g_t - h_{t-1}). Rows: [g; s].
struct Leaky {
  static constexpr int FIRST = HIDDEN + GATES, SECOND = 0, MEMORY = 0;
  float constant_gate;

  Vector gate(const Lanes *activation, int unit, int v) const {
    if (GATES == 0) return Vector{} + constant_gate;
    return activation[HIDDEN + (GATES == 1 ? 0 : unit)].part[v];
  }

  void between(const Step &) const {}

  void forward(const Step &at) const {
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

  // δ^g = G s (1 - g²), δ^s = G (g - h) s (1 - s), and G (1 - s) goes on.
  void backward(const Step &at) const {
    for (int v = 0; v < VECTORS; v++) {
      Vector shared = {};
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector total = at.carried[unit].part[v], g = at.first[unit].part[v];
        const Vector s = gate(at.first, unit, v), keep = 1.0f - s;
        at.delta_first[unit].part[v] = total * s * (1.0f - g * g);
        const Vector to_gate = total * (g - at.previous[unit].part[v]) * s * keep;
        if (GATES == 1) shared += to_gate;
        if (GATES > 1) at.delta_first[HIDDEN + unit].part[v] = to_gate;
        at.carried[unit].part[v] = total * keep;
      }
      if (GATES == 1) at.delta_first[HIDDEN].part[v] = shared;
    }
  }

  void between_backward(const Step &) const {}
};

// c_t = f_t ⊙ c_{t-1} + i_t ⊙ g_t, h_t = o_t ⊙ tanh(c_t). Rows: [i; f; o; g]; memory: c.
struct LSTM {
  static constexpr int FIRST = 4 * HIDDEN, SECOND = 0, MEMORY = HIDDEN;
  static constexpr int I = 0, F = HIDDEN, O = 2 * HIDDEN, G = 3 * HIDDEN;
  explicit LSTM(float) {}

  void between(const Step &) const {}

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &i = at.first[I + unit].part[v], &f = at.first[F + unit].part[v];
        Vector &o = at.first[O + unit].part[v], &g = at.first[G + unit].part[v];
        i = sigmoid(i), f = sigmoid(f), o = sigmoid(o), g = hyperbolic_tangent(g);
        const Vector c = f * at.previous_memory[unit].part[v] + i * g;
        at.memory[unit].part[v] = c;
        at.next[unit].part[v] = o * hyperbolic_tangent(c);
      }
  }

  // With C = ∂L/∂c_t in full: δ^o = G tanh(c) o (1 - o), δ^i = C g i (1 - i), δ^f = C c_{t-1} f (1 - f),
  // δ^g = C i (1 - g²), and C f goes on.
  void backward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = hyperbolic_tangent(at.memory[unit].part[v]), total = at.carried[unit].part[v];
        const Vector of_c = at.carried_memory[unit].part[v] + total * o * (1.0f - expressed * expressed);
        at.delta_first[I + unit].part[v] = of_c * g * i * (1.0f - i);
        at.delta_first[F + unit].part[v] = of_c * at.previous_memory[unit].part[v] * f * (1.0f - f);
        at.delta_first[O + unit].part[v] = total * expressed * o * (1.0f - o);
        at.delta_first[G + unit].part[v] = of_c * i * (1.0f - g * g);
        at.carried_memory[unit].part[v] = of_c * f;
        at.carried[unit].part[v] = Vector{};
      }
  }

  void between_backward(const Step &) const {}
};

// h_t = h_{t-1} + z_t ⊙ (g_t - h_{t-1}), g_t with U_h (r_t ⊙ h_{t-1}). Rows: [z; r] and [g].
struct GRU {
  static constexpr int FIRST = 2 * HIDDEN, SECOND = HIDDEN, MEMORY = 0;
  static constexpr int Z = 0, R = HIDDEN;
  explicit GRU(float) {}

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
  void backward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector total = at.carried[unit].part[v], h = at.previous[unit].part[v];
        const Vector z = at.first[Z + unit].part[v], g = at.second[unit].part[v], keep = 1.0f - z;
        at.delta_first[Z + unit].part[v] = total * (g - h) * z * keep;
        at.delta_second[unit].part[v] = total * z * (1.0f - g * g);
        at.carried[unit].part[v] = total * keep;
      }
  }

  // With q = U_hᵀ δ^g: δ^r = q h r (1 - r), and q r goes on.
  void between_backward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector q = at.returned[unit].part[v], r = at.first[R + unit].part[v];
        at.delta_first[R + unit].part[v] = q * at.previous[unit].part[v] * r * (1.0f - r);
        at.carried[unit].part[v] += q * r;
      }
  }
};

// Rows of M that see the same operand: their product, the way back, and their weight gradient.
template <int COUNT>
struct Product {
  static constexpr int PADDED = padded(COUNT, ROWS);
  static constexpr long GRADIENT_VECTORS = long(PADDED) * GROUPS * GROUP;

  Vector *gradient;
  float *weights, *transposed;

  void start(const float *matrix) {
    pack<COLUMNS>(weights, COUNT, [&](int row, int column) { return matrix[row * COLUMNS + column]; });
    pack<COUNT>(transposed, HIDDEN, [&](int row, int column) { return matrix[column * COLUMNS + row]; });
    std::memset(gradient, 0, sizeof(Vector) * GRADIENT_VECTORS);
  }

  void forward(const Lanes *operand, Lanes *out) const { multiply<PADDED, COLUMNS>(weights, operand, out); }

  void backward(const Lanes *delta, Lanes *out) const { multiply<HIDDEN_ROWS, COUNT>(transposed, delta, out); }

  // Add Σ_t δ_t z_tᵀ of a few steps.
  void add_gradient(const Lanes *delta, int delta_rows, const Transposed &operands, int steps) const {
    for (int group = 0; group < GROUPS; group++)
      for (int row = 0; row < PADDED; row += ROWS) {
        Vector sums[ROWS][GROUP] = {};
        for (int t = 0; t < steps; t++) {
          const float *left = reinterpret_cast<const float *>(delta + t * delta_rows + row);
          const auto &right = operands.part[group][t];
          for (int sequence = 0; sequence < TILE; sequence++)
#pragma GCC unroll 8
            for (int i = 0; i < ROWS; i++)
#pragma GCC unroll 3
              for (int j = 0; j < GROUP; j++) sums[i][j] += left[i * TILE + sequence] * right[sequence][j];
        }
        for (int i = 0; i < ROWS; i++)
          for (int j = 0; j < GROUP; j++) gradient[((row + i) * GROUPS + group) * GROUP + j] += sums[i][j];
      }
  }

  void collect_gradient(float *out) const {
    const float *values = reinterpret_cast<const float *>(gradient);
    for (int row = 0; row < COUNT; row++)
      std::memcpy(out + row * COLUMNS, values + row * GROUPS * GROUP * WIDTH, sizeof(float) * COLUMNS);
  }
};

constexpr int FIRST_ROWS = padded(CELL::FIRST, ROWS);
constexpr int ACTIVATION_ROWS = FIRST_ROWS + padded(CELL::SECOND, ROWS);
constexpr int DELTA_ROWS = ACTIVATION_ROWS | 1;

// Buffers of one tile, laid out in the caller's workspace.
struct Workspace {
  Lanes *z, *filtered, *activations, *memory, *errors, *deltas, *carried, *carried_memory, *returned, *readout;
  Transposed *operands;
  Product<CELL::FIRST> first;
  Product<CELL::SECOND> second;

  static long place(Workspace *self, char *base, int time) {
    long offset = 0;
    auto take = [&](auto **pointer, long count) {
      using Item = typename std::remove_reference<decltype(**pointer)>::type;
      if (self) *pointer = reinterpret_cast<Item *>(base + offset);
      offset += (count * long(sizeof(Item)) + 63) / 64 * 64;
    };
    auto take_product = [&](auto *product, long count) {
      take(&product->gradient, product->GRADIENT_VECTORS);
      take(&product->weights, long(product->PADDED) * COLUMNS);
      take(&product->transposed, HIDDEN_ROWS * count);
    };
    Workspace none{}, *target = self ? self : &none;
    take(&target->z, long(time + 1) * Z_ROWS);
    take(&target->filtered, CELL::SECOND ? long(time) * Z_ROWS : 0);
    take(&target->activations, long(time) * ACTIVATION_ROWS);
    take(&target->memory, long(time + 1) * CELL::MEMORY);
    take(&target->errors, time);
    take(&target->deltas, long(BLOCK) * DELTA_ROWS);
    take(&target->carried, HIDDEN);
    take(&target->carried_memory, HIDDEN);
    take(&target->returned, HIDDEN_ROWS);
    take(&target->readout, HIDDEN);
    take(&target->operands, 1);
    take_product(&target->first, CELL::FIRST);
    take_product(&target->second, CELL::SECOND);
    return offset;
  }

  // Rows of the step with number t from 0, `slot` its place in a block.
  Step step(long t, int slot) const {
    Lanes *activation = activations + t * ACTIVATION_ROWS, *delta = deltas + slot * DELTA_ROWS;
    return {activation, activation + FIRST_ROWS,
            z + t * Z_ROWS, z + (t + 1) * Z_ROWS, filtered + t * Z_ROWS,
            memory + t * CELL::MEMORY, memory + (t + 1) * CELL::MEMORY,
            carried, carried_memory, delta, delta + FIRST_ROWS, returned};
  }
};

extern "C" long workspace_bytes(int time) { return Workspace::place(nullptr, nullptr, time); }

// Mean squared error, and its gradient (overwritten).
//   inputs (sequences, time, INPUT), targets (sequences, time), matrix M (FIRST + SECOND rows, COLUMNS),
//   readout (HIDDEN), workspace: workspace_bytes(time) bytes, 64-byte aligned. All row-major.
extern "C" double loss_and_gradient(int sequences, int time, const float *inputs, const float *targets,
                                    const float *matrix, const float *readout, float readout_bias, float constant_gate,
                                    float *matrix_gradient, float *readout_gradient, float *bias_gradient,
                                    char *workspace) {
  const CELL cell{constant_gate};
  Workspace w;
  Workspace::place(&w, workspace, time);
  w.first.start(matrix);
  w.second.start(matrix + CELL::FIRST * COLUMNS);
  std::memset(w.deltas, 0, sizeof(Lanes) * BLOCK * DELTA_ROWS);
  std::memset(w.readout, 0, sizeof(Lanes) * HIDDEN);
  double loss = 0, bias = 0;
  const float factor = 2.0f / (float(sequences) * float(time));

  for (int first = 0; first < sequences; first += TILE) {
    const int members = sequences - first < TILE ? sequences - first : TILE;
    std::memset(w.z, 0, sizeof(Lanes) * long(time + 1) * Z_ROWS);
    std::memset(w.memory, 0, sizeof(Lanes) * CELL::MEMORY);
    std::memset(w.errors, 0, sizeof(Lanes) * time);
    float *z = reinterpret_cast<float *>(w.z), *errors = reinterpret_cast<float *>(w.errors);
    for (int t = 0; t < time; t++)
      for (int lane = 0; lane < members; lane++) {
        const float *x = inputs + (long(first + lane) * time + t) * INPUT;
        for (int i = 0; i < INPUT; i++) z[(long(t) * Z_ROWS + HIDDEN + i) * TILE + lane] = x[i];
        z[(long(t) * Z_ROWS + HIDDEN + INPUT) * TILE + lane] = 1.0f;
      }
    if (CELL::SECOND) std::memcpy(w.filtered, w.z, sizeof(Lanes) * long(time) * Z_ROWS);

    for (int t = 0; t < time; t++) {
      const Step at = w.step(t, 0);
      w.first.forward(at.previous, at.first);
      cell.between(at);
      if (CELL::SECOND) w.second.forward(at.filtered, at.second);
      cell.forward(at);
      Vector prediction[VECTORS];
      for (int v = 0; v < VECTORS; v++) prediction[v] = Vector{} + readout_bias;
      for (int unit = 0; unit < HIDDEN; unit++)
        for (int v = 0; v < VECTORS; v++) prediction[v] += readout[unit] * at.next[unit].part[v];
      for (int lane = 0; lane < members; lane++) {
        const float error = prediction[lane / WIDTH][lane % WIDTH] - targets[long(first + lane) * time + t];
        loss += double(error) * error;
        bias += double(error) * factor;
        errors[long(t) * TILE + lane] = error * factor;
      }
    }

    std::memset(w.carried, 0, sizeof(Lanes) * HIDDEN);
    std::memset(w.carried_memory, 0, sizeof(Lanes) * HIDDEN);
    for (int start = (time - 1) / BLOCK * BLOCK; start >= 0; start -= BLOCK) {
      const int steps = time - start < BLOCK ? time - start : BLOCK;
      for (int t = start + steps - 1; t >= start; t--) {
        const Step at = w.step(t, t - start);
        for (int unit = 0; unit < HIDDEN; unit++)
          for (int v = 0; v < VECTORS; v++) {
            w.carried[unit].part[v] += readout[unit] * w.errors[t].part[v];
            w.readout[unit].part[v] += w.errors[t].part[v] * at.next[unit].part[v];
          }
        cell.backward(at);
        if (CELL::SECOND) w.second.backward(at.delta_second, w.returned);
        cell.between_backward(at);
        w.first.backward(at.delta_first, w.returned);
        for (int unit = 0; unit < HIDDEN; unit++)
          for (int v = 0; v < VECTORS; v++) w.carried[unit].part[v] += w.returned[unit].part[v];
      }
      for (int t = 0; t < steps; t++) w.operands->fill(w.z + (start + t) * long(Z_ROWS), t);
      w.first.add_gradient(w.deltas, DELTA_ROWS, *w.operands, steps);
      if (CELL::SECOND) {
        for (int t = 0; t < steps; t++) w.operands->fill(w.filtered + (start + t) * long(Z_ROWS), t);
        w.second.add_gradient(w.deltas + FIRST_ROWS, DELTA_ROWS, *w.operands, steps);
      }
    }
  }
  w.first.collect_gradient(matrix_gradient);
  w.second.collect_gradient(matrix_gradient + CELL::FIRST * COLUMNS);
  for (int unit = 0; unit < HIDDEN; unit++) {
    readout_gradient[unit] = 0;
    for (int v = 0; v < VECTORS; v++) readout_gradient[unit] += sum(w.readout[unit].part[v]);
  }
  *bias_gradient = float(bias);
  return loss / (double(sequences) * time);
}
