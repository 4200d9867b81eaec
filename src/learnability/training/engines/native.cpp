// Forward pass, backpropagation through time and weight gradients of one recurrent cell: float32, one thread.
//
// Compiled for one network: -DHIDDEN, -DINPUT and -DGATES (learned gates a step: 0 ConstGate, 1 SharedGate, HIDDEN
// DiagGate) are constants, so that every loop has known bounds.
//
// The batch is the vector: a tile of sequences runs through all of time, one sequence to a lane. At each step
//     z_t = [h_{t-1}; x_t; 1],      p_t = M z_t,      M = [U W b], candidate rows first, then gate rows,
// and the weight gradient is Σ_t δ_t z_tᵀ with δ_t = ∂L/∂p_t. M and Mᵀ stay in cache, states and activations stream.

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__AVX512F__)
constexpr int WIDTH = 16, ROWS = 8, GRADIENT_ROWS = 4, GRADIENT_COLUMNS = 6;  // 32 registers of 64 bytes
#elif defined(__AVX__)
constexpr int WIDTH = 8, ROWS = 4, GRADIENT_ROWS = 2, GRADIENT_COLUMNS = 4;  // 16 registers of 32 bytes
#else
constexpr int WIDTH = 4, ROWS = 4, GRADIENT_ROWS = 2, GRADIENT_COLUMNS = 4;  // 16 registers of 16 bytes
#endif

constexpr int VECTORS = 2;  // vectors side by side: two chains of sums hide the latency of one
constexpr int BLOCK = 32;  // steps whose δ wait for one pass over the weight gradient: they fit the second cache
constexpr int TILE = WIDTH * VECTORS;

constexpr int padded(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

constexpr int OUTPUTS = HIDDEN + GATES;
constexpr int COLUMNS = HIDDEN + INPUT + 1;
constexpr int OUTPUT_ROWS = padded(OUTPUTS, ROWS);
constexpr int HIDDEN_ROWS = padded(HIDDEN, ROWS);
// Odd strides in time: the same row of successive steps must not fall into the same set of the cache.
constexpr int Z_ROWS = padded(COLUMNS, GRADIENT_COLUMNS) | 1;
constexpr long GRADIENT_VECTORS = long(OUTPUT_ROWS) * padded(COLUMNS, GRADIENT_COLUMNS);
constexpr int DELTA_ROWS = OUTPUT_ROWS | 1;

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

// h_t = (1 - s_t) ⊙ h_{t-1} + s_t ⊙ g_t. An activation is [g_t; s_t]; candidate rows of M are doubled, for
// g = tanh(a) = 2σ(2a) - 1.
struct Leaky {
  float constant_gate;

  static constexpr float scale(int row) { return row < HIDDEN ? 2.0f : 1.0f; }

  Vector gate(const Lanes *activation, int unit, int v) const {
    if (GATES == 0) return Vector{} + constant_gate;
    return activation[HIDDEN + (GATES == 1 ? 0 : unit)].part[v];
  }

  // From pre-activations to activations, in place, and the next state.
  void forward(Lanes *activation, const Lanes *previous, Lanes *next) const {
    for (int row = 0; row < OUTPUTS; row++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector u = sigmoid(activation[row].part[v]);
        activation[row].part[v] = row < HIDDEN ? 2.0f * u - 1.0f : u;
      }
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = previous[unit].part[v];
        next[unit].part[v] = h + gate(activation, unit, v) * (activation[unit].part[v] - h);
      }
  }

  // δ_t from the whole gradient G_t = ∂L/∂h_t; `carried` becomes its part G_t ⊙ (1 - s_t), which bypasses M.
  void backward(const Lanes *activation, const Lanes *previous, Lanes *carried, Lanes *delta) const {
    for (int v = 0; v < VECTORS; v++) {
      Vector shared = {};
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector total = carried[unit].part[v], g = activation[unit].part[v];
        const Vector s = gate(activation, unit, v), keep = 1.0f - s;
        delta[unit].part[v] = total * s * (1.0f - g * g);
        const Vector to_gate = total * (g - previous[unit].part[v]) * s * keep;
        if (GATES == 1) shared += to_gate;
        if (GATES > 1) delta[HIDDEN + unit].part[v] = to_gate;
        carried[unit].part[v] = total * keep;
      }
      if (GATES == 1) delta[HIDDEN].part[v] = shared;
    }
  }
};

// Sums of δ zᵀ over steps, lane by lane, in register tiles; lanes are added up once, at the very end.
constexpr int GRADIENT_TILE = GRADIENT_ROWS * GRADIENT_COLUMNS;

static void add_weight_gradient(const Lanes *delta, const Lanes *z, int steps, Vector *partial) {
  for (int row = 0; row < OUTPUT_ROWS; row += GRADIENT_ROWS)
    for (int column = 0; column < COLUMNS; column += GRADIENT_COLUMNS, partial += GRADIENT_TILE) {
      Vector sums[GRADIENT_ROWS][GRADIENT_COLUMNS];
      std::memcpy(sums, partial, sizeof sums);
      for (int t = 0; t < steps; t++) {
        const Lanes *left = delta + t * DELTA_ROWS + row, *right = z + t * Z_ROWS + column;
#pragma GCC unroll 2
        for (int v = 0; v < VECTORS; v++)
#pragma GCC unroll 4
          for (int i = 0; i < GRADIENT_ROWS; i++)
#pragma GCC unroll 6
            for (int j = 0; j < GRADIENT_COLUMNS; j++) sums[i][j] += left[i].part[v] * right[j].part[v];
      }
      std::memcpy(partial, sums, sizeof sums);
    }
}

static void collect_weight_gradient(const Vector *partial, float *gradient) {
  for (int row = 0; row < OUTPUT_ROWS; row += GRADIENT_ROWS)
    for (int column = 0; column < COLUMNS; column += GRADIENT_COLUMNS)
      for (int i = 0; i < GRADIENT_ROWS; i++)
        for (int j = 0; j < GRADIENT_COLUMNS; j++, partial++)
          if (row + i < OUTPUTS && column + j < COLUMNS) gradient[(row + i) * COLUMNS + column + j] = sum(*partial);
}

// Buffers of one tile, laid out in the caller's workspace.
struct Workspace {
  Lanes *z, *activations, *errors, *deltas, *carried, *returned, *readout;
  Vector *gradient;
  float *forward_matrix, *backward_matrix;

  static long place(Workspace *self, char *base, int time) {
    long offset = 0;
    auto take = [&](auto **pointer, long count) {
      using Item = typename std::remove_reference<decltype(**pointer)>::type;
      if (self) *pointer = reinterpret_cast<Item *>(base + offset);
      offset += (count * long(sizeof(Item)) + 63) / 64 * 64;
    };
    Workspace none{}, *target = self ? self : &none;
    take(&target->z, long(time + 1) * Z_ROWS);
    take(&target->activations, long(time) * OUTPUT_ROWS);
    take(&target->errors, time);
    take(&target->deltas, long(BLOCK) * DELTA_ROWS);
    take(&target->carried, HIDDEN);
    take(&target->returned, HIDDEN_ROWS);
    take(&target->readout, HIDDEN);
    take(&target->gradient, GRADIENT_VECTORS);
    take(&target->forward_matrix, long(OUTPUT_ROWS) * COLUMNS);
    take(&target->backward_matrix, long(HIDDEN_ROWS) * OUTPUTS);
    return offset;
  }
};

extern "C" long workspace_bytes(int time) { return Workspace::place(nullptr, nullptr, time); }

// Mean squared error, and its gradient (overwritten).
//   inputs (sequences, time, INPUT), targets (sequences, time), matrix M (OUTPUTS, COLUMNS), readout (HIDDEN),
//   workspace: workspace_bytes(time) bytes, 64-byte aligned. All row-major.
extern "C" double loss_and_gradient(int sequences, int time, const float *inputs, const float *targets,
                                    const float *matrix, const float *readout, float readout_bias, float constant_gate,
                                    float *matrix_gradient, float *readout_gradient, float *bias_gradient,
                                    char *workspace) {
  const Leaky cell{constant_gate};
  Workspace w;
  Workspace::place(&w, workspace, time);
  pack<COLUMNS>(w.forward_matrix, OUTPUTS,
                [&](int row, int column) { return Leaky::scale(row) * matrix[row * COLUMNS + column]; });
  pack<OUTPUTS>(w.backward_matrix, HIDDEN, [&](int row, int column) { return matrix[column * COLUMNS + row]; });
  std::memset(w.gradient, 0, sizeof(Vector) * GRADIENT_VECTORS);
  std::memset(w.deltas, 0, sizeof(Lanes) * BLOCK * DELTA_ROWS);
  std::memset(w.readout, 0, sizeof(Lanes) * HIDDEN);
  double loss = 0, bias = 0;
  const float factor = 2.0f / (float(sequences) * float(time));

  for (int first = 0; first < sequences; first += TILE) {
    const int members = sequences - first < TILE ? sequences - first : TILE;
    std::memset(w.z, 0, sizeof(Lanes) * long(time + 1) * Z_ROWS);
    std::memset(w.errors, 0, sizeof(Lanes) * time);
    float *z = reinterpret_cast<float *>(w.z), *errors = reinterpret_cast<float *>(w.errors);
    for (int t = 0; t < time; t++)
      for (int lane = 0; lane < members; lane++) {
        const float *x = inputs + (long(first + lane) * time + t) * INPUT;
        for (int i = 0; i < INPUT; i++) z[(long(t) * Z_ROWS + HIDDEN + i) * TILE + lane] = x[i];
        z[(long(t) * Z_ROWS + HIDDEN + INPUT) * TILE + lane] = 1.0f;
      }

    for (int t = 0; t < time; t++) {
      Lanes *activation = w.activations + long(t) * OUTPUT_ROWS, *next = w.z + long(t + 1) * Z_ROWS;
      multiply<OUTPUT_ROWS, COLUMNS>(w.forward_matrix, w.z + long(t) * Z_ROWS, activation);
      cell.forward(activation, w.z + long(t) * Z_ROWS, next);
      Vector prediction[VECTORS];
      for (int v = 0; v < VECTORS; v++) prediction[v] = Vector{} + readout_bias;
      for (int unit = 0; unit < HIDDEN; unit++)
        for (int v = 0; v < VECTORS; v++) prediction[v] += readout[unit] * next[unit].part[v];
      for (int lane = 0; lane < members; lane++) {
        const float error = prediction[lane / WIDTH][lane % WIDTH] - targets[long(first + lane) * time + t];
        loss += double(error) * error;
        bias += double(error) * factor;
        errors[long(t) * TILE + lane] = error * factor;
      }
    }

    std::memset(w.carried, 0, sizeof(Lanes) * HIDDEN);
    for (int start = (time - 1) / BLOCK * BLOCK; start >= 0; start -= BLOCK) {
      const int steps = time - start < BLOCK ? time - start : BLOCK;
      for (int t = start + steps - 1; t >= start; t--) {
        const Lanes *state = w.z + long(t + 1) * Z_ROWS, *previous = w.z + long(t) * Z_ROWS;
        Lanes *delta = w.deltas + (t - start) * DELTA_ROWS;
        for (int unit = 0; unit < HIDDEN; unit++)
          for (int v = 0; v < VECTORS; v++) {
            w.carried[unit].part[v] += readout[unit] * w.errors[t].part[v];
            w.readout[unit].part[v] += w.errors[t].part[v] * state[unit].part[v];
          }
        cell.backward(w.activations + long(t) * OUTPUT_ROWS, previous, w.carried, delta);
        multiply<HIDDEN_ROWS, OUTPUTS>(w.backward_matrix, delta, w.returned);
        for (int unit = 0; unit < HIDDEN; unit++)
          for (int v = 0; v < VECTORS; v++) w.carried[unit].part[v] += w.returned[unit].part[v];
      }
      add_weight_gradient(w.deltas, w.z + long(start) * Z_ROWS, steps, w.gradient);
    }
  }
  collect_weight_gradient(w.gradient, matrix_gradient);
  for (int unit = 0; unit < HIDDEN; unit++) {
    readout_gradient[unit] = 0;
    for (int v = 0; v < VECTORS; v++) readout_gradient[unit] += sum(w.readout[unit].part[v]);
  }
  *bias_gradient = float(bias);
  return loss / (double(sequences) * time);
}
