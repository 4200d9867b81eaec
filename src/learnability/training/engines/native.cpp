// Forward pass, backpropagation through time and weight gradients of one recurrent cell: float32, one thread.
//
// A tile of sequences runs through all of time (see native.hpp); the weight gradient is Σ_t δ_t z_tᵀ with δ_t = ∂L/∂p_t.
// M and Mᵀ stay in cache, states and activations stream. That last sum runs over the lanes: there z_t is transposed, a
// column to a lane.

#include <cstring>
#include <utility>

using Real = float;
#include "../../cells/native.hpp"

constexpr int BLOCK = 4;  // steps whose δ wait for one pass over the weight gradient: their operands fit the first cache
constexpr int GROUP = 3;  // vectors of columns of M that pass takes at once: ROWS x GROUP sums stay in registers
constexpr int HIDDEN_ROWS = padded(HIDDEN, ROWS);
// Odd strides in time: the same row of successive steps must not fall into the same set of the cache.
constexpr int Z_ROWS = COLUMNS | 1;
constexpr int GROUPS = padded(COLUMNS, GROUP * WIDTH) / (GROUP * WIDTH);

static inline float sum(const Lanes &x) {
  float total = 0;
  for (int v = 0; v < VECTORS; v++) {
    float part = 0;
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


// Rows of M that see the same operand: their product, the way back, and their weight gradient.
template <int COUNT>
struct Product {
  static constexpr int PADDED = padded(COUNT, ROWS);
  static constexpr long GRADIENT_VECTORS = long(PADDED) * GROUPS * GROUP;

  Vector *gradient;
  float *weights, *transposed;

  void start(const float *matrix) const {
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
  Lanes *z, *filtered, *activations, *memory, *errors, *deltas, *carried, *carried_memory, *returned, *beside, *readout;
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
    take(&target->beside, CELL::BESIDE);
    take(&target->readout, HIDDEN);
    take(&target->operands, 1);
    take_product(&target->first, CELL::FIRST);
    take_product(&target->second, CELL::SECOND);
    return offset;
  }

  void start(const float *matrix) const {
    first.start(matrix);
    second.start(matrix + CELL::FIRST * COLUMNS);
  }

  // Rows of the step with number t from 0.
  Step step(long t) const {
    Lanes *activation = activations + t * ACTIVATION_ROWS;
    return {activation, activation + FIRST_ROWS,
            z + t * Z_ROWS, z + (t + 1) * Z_ROWS, filtered + t * Z_ROWS,
            memory + t * CELL::MEMORY, memory + (t + 1) * CELL::MEMORY};
  }

  // A tile starts: x_t and h_0 = 0 of the sequences from `first` on into the lanes, 0 into lanes to spare. Returns how many
  // lanes have a sequence.
  int load(int sequences, int first, int time, const float *inputs) const {
    const int members = sequences - first < TILE ? sequences - first : TILE;
    std::memset(z, 0, sizeof(Lanes) * HIDDEN);
    std::memset(memory, 0, sizeof(Lanes) * CELL::MEMORY);
    for (int t = 0; t < time; t++) {
      float *rows = reinterpret_cast<float *>(z + t * long(Z_ROWS) + HIDDEN);
      for (int lane = 0; lane < TILE; lane++) {
        const float *x = inputs + (long(first + lane) * time + t) * INPUT;
        for (int i = 0; i < INPUT; i++) rows[i * TILE + lane] = lane < members ? x[i] : 0.0f;
        rows[INPUT * TILE + lane] = lane < members ? 1.0f : 0.0f;
      }
      if (CELL::SECOND) std::memcpy(filtered + t * long(Z_ROWS) + HIDDEN, rows, sizeof(Lanes) * (INPUT + 1));
    }
    return members;
  }

  // From h_{t-1} to h_t.
  Step advance(const CELL &cell, long t) const {
    const Step at = step(t);
    first.forward(at.previous, at.first);
    cell.between(at);
    if (CELL::SECOND) second.forward(at.filtered, at.second);
    cell.forward(at);
    return at;
  }

  // The gradient of a step, `slot` its place in a block.
  Gradient gradient(int slot) const {
    Lanes *delta = deltas + slot * DELTA_ROWS;
    return {carried, carried_memory, delta, delta + FIRST_ROWS, returned, beside};
  }
};

extern "C" long workspace_bytes(int time) { return Workspace::place(nullptr, nullptr, time); }

// Mean squared error, and its gradient (overwritten).
//   inputs (sequences, time, INPUT), targets (sequences, time), parameters (PARAMETERS): M (FIRST + SECOND rows, COLUMNS) and
//   what the cell has beside it, readout (HIDDEN), workspace: workspace_bytes(time) bytes, 64-byte aligned. All row-major.
extern "C" double loss_and_gradient(int sequences, int time, const float *inputs, const float *targets,
                                    const float *parameters, const float *readout, float readout_bias,
                                    float constant_gate, float *parameter_gradient, float *readout_gradient,
                                    float *bias_gradient, char *workspace) {
  const CELL cell{constant_gate, parameters + MATRIX};
  Workspace w;
  Workspace::place(&w, workspace, time);
  w.start(parameters);
  std::memset(w.deltas, 0, sizeof(Lanes) * BLOCK * DELTA_ROWS);
  std::memset(w.beside, 0, sizeof(Lanes) * CELL::BESIDE);
  std::memset(w.readout, 0, sizeof(Lanes) * HIDDEN);
  double loss = 0, bias = 0;
  const float factor = 2.0f / (float(sequences) * float(time));

  for (int first = 0; first < sequences; first += TILE) {
    const int members = w.load(sequences, first, time, inputs);
    std::memset(w.errors, 0, sizeof(Lanes) * time);
    float *errors = reinterpret_cast<float *>(w.errors);

    for (int t = 0; t < time; t++) {
      const Step at = w.advance(cell, t);
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
        const Step at = w.step(t);
        const Gradient gradient = w.gradient(t - start);
        for (int unit = 0; unit < HIDDEN; unit++)
          for (int v = 0; v < VECTORS; v++) {
            w.carried[unit].part[v] += readout[unit] * w.errors[t].part[v];
            w.readout[unit].part[v] += w.errors[t].part[v] * at.next[unit].part[v];
          }
        cell.backward(at, gradient);
        if (CELL::SECOND) w.second.backward(gradient.second, w.returned);
        cell.between_backward(at, gradient);
        w.first.backward(gradient.first, w.returned);
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
  w.first.collect_gradient(parameter_gradient);
  w.second.collect_gradient(parameter_gradient + CELL::FIRST * COLUMNS);
  for (int i = 0; i < CELL::BESIDE; i++) parameter_gradient[MATRIX + i] = sum(w.beside[i]);
  for (int unit = 0; unit < HIDDEN; unit++) readout_gradient[unit] = sum(w.readout[unit]);
  *bias_gradient = float(bias);
  return loss / (double(sequences) * time);
}

// States s_0 = 0, s_1, …, s_T: out (sequences, time + 1, STATE), [h; c] where a cell has a memory. The rest as above.
extern "C" void states(int sequences, int time, const float *inputs, const float *parameters, float constant_gate,
                       float *out, char *workspace) {
  const CELL cell{constant_gate, parameters + MATRIX};
  Workspace w;
  Workspace::place(&w, workspace, time);
  w.start(parameters);
  for (int first = 0; first < sequences; first += TILE) {
    const int members = w.load(sequences, first, time, inputs);
    for (int t = 0; t < time; t++) w.advance(cell, t);
    for (int t = 0; t <= time; t++) {
      const float *h = reinterpret_cast<const float *>(w.z + long(t) * Z_ROWS);
      const float *c = reinterpret_cast<const float *>(w.memory + long(t) * CELL::MEMORY);
      for (int lane = 0; lane < members; lane++) {
        float *state = out + (long(first + lane) * (time + 1) + t) * STATE;
        for (int unit = 0; unit < STATE; unit++)
          state[unit] = (unit < HIDDEN ? h + unit * TILE : c + (unit - HIDDEN) * TILE)[lane];
      }
    }
  }
}
