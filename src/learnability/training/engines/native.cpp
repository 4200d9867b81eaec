// Forward pass, backpropagation through time and weight gradients of one recurrent cell, one thread, in numbers -DREAL.
//
// A tile of sequences runs through all of time (see native.hpp); the weight gradient is Σ_t δ_t z_tᵀ with δ_t = ∂L/∂p_t.
// M and Mᵀ stay in cache, states and activations stream. That last sum runs over the lanes: there z_t is transposed, a
// column to a lane.

#include <cstring>

typedef REAL Real;
#include "../../cells/native.hpp"
#include "products.hpp"
#include "readouts.hpp"

constexpr int FIRST_ROWS = padded(CELL::FIRST, ROWS);
constexpr int ACTIVATION_ROWS = FIRST_ROWS + padded(CELL::SECOND, ROWS);
constexpr int DELTA_ROWS = ACTIVATION_ROWS | 1;
constexpr bool READS_FILTERED = CELL::OUTPUTS_FILTERED || READS_CONTEXT;

// Buffers of one tile, laid out in the caller's workspace.
struct Workspace {
  Lanes *z, *filtered, *activations, *memory, *scratch, *deltas, *passed, *carried, *carried_memory, *returned, *read;
  Lanes *beside;
  const bool *detached;
  Transposed *operands;
  Product<CELL::FIRST> first;
  Product<CELL::SECOND> second;
  Readout readout;

  static long place(Workspace *self, char *base, int time) {
    long offset = 0;
    auto take = [&](auto **pointer, long count) {
      using Item = typename std::remove_reference<decltype(**pointer)>::type;
      if (self) *pointer = reinterpret_cast<Item *>(base + offset);
      offset += (count * long(sizeof(Item)) + 63) / 64 * 64;
    };
    Workspace none{}, *target = self ? self : &none;
    take(&target->z, long(time + 1) * Z_ROWS);
    take(&target->filtered, CELL::SECOND ? long(time) * Z_ROWS : 0);
    take(&target->activations, long(time) * ACTIVATION_ROWS);
    take(&target->memory, long(time + 1) * CELL::MEMORY);
    take(&target->scratch, CELL::scratch(time));
    take(&target->deltas, long(BLOCK) * DELTA_ROWS);
    take(&target->passed, CELL::DETACHED < CELL::FIRST ? CELL::FIRST : 0);
    take(&target->carried, HIDDEN);
    take(&target->carried_memory, HIDDEN);
    take(&target->returned, HIDDEN_ROWS);
    take(&target->read, READS_FILTERED ? HIDDEN : 0);
    take(&target->beside, CELL::BESIDE);
    take(&target->operands, 1);
    target->first.place(take);
    target->second.place(take);
    target->readout.place(take, time);
    return offset;
  }

  void start(const Real *matrix, const bool *detached_steps) {
    first.start(matrix);
    second.start(matrix + CELL::FIRST * COLUMNS);
    detached = detached_steps;
  }

  // Rows of the step with number t from 0.
  Step step(long t) const {
    Lanes *activation = activations + t * ACTIVATION_ROWS;
    return {activation, activation + FIRST_ROWS,
            z + t * Z_ROWS, z + (t + 1) * Z_ROWS, filtered + t * Z_ROWS,
            memory + t * CELL::MEMORY, memory + (t + 1) * CELL::MEMORY, t, scratch, ACTIVATION_ROWS,
            detached && detached[t]};
  }

  // [h_t; ·; 1] of that step, h_t what the readout sees.
  const Lanes *output(long t) const { return CELL::OUTPUTS_FILTERED ? filtered + t * Z_ROWS : z + (t + 1) * Z_ROWS; }

  // A tile starts: x_t and h_0 = 0 of the sequences from `first` on into the lanes, 0 into lanes to spare. Returns how many
  // lanes have a sequence.
  int load(int sequences, int first, int time, const Real *inputs) const {
    const int members = sequences - first < TILE ? sequences - first : TILE;
    std::memset(z, 0, sizeof(Lanes) * HIDDEN);
    std::memset(memory, 0, sizeof(Lanes) * CELL::MEMORY);
    std::memset(z + time * long(Z_ROWS) + HIDDEN, 0, sizeof(Lanes) * INPUT);
    for (int lane = 0; lane < TILE; lane++)
      z[time * long(Z_ROWS) + HIDDEN + INPUT].part[lane / WIDTH][lane % WIDTH] = lane < members;
    for (int t = 0; t < time; t++) {
      Real *rows = reinterpret_cast<Real *>(z + t * long(Z_ROWS) + HIDDEN);
      for (int lane = 0; lane < TILE; lane++) {
        const Real *x = inputs + (long(first + lane) * time + t) * INPUT;
        for (int i = 0; i < INPUT; i++) rows[i * TILE + lane] = lane < members ? x[i] : Real(0);
        rows[INPUT * TILE + lane] = lane < members ? Real(1) : Real(0);
      }
      if (CELL::SECOND) std::memcpy(filtered + t * long(Z_ROWS) + HIDDEN, rows, sizeof(Lanes) * (INPUT + 1));
    }
    return members;
  }

  // From h_{t-1} to h_t.
  Step advance(const CELL &cell, long t, int members) const {
    const Step at = step(t);
    first.forward(at.previous, at.first, members);
    cell.between(at);
    if (CELL::SECOND) second.forward(at.filtered, at.second, members);
    cell.forward(at);
    return at;
  }

  // From δ_t of the first product to the gradient at h_{t-1}, which is added to `carried`.
  void back(const Step &at, const Lanes *delta, int members) const {
    if (CELL::DETACHED && at.detached) {
      if (CELL::DETACHED == CELL::FIRST) return;
      std::memset(passed, 0, sizeof(Lanes) * CELL::DETACHED);
      std::memcpy(passed + CELL::DETACHED, delta + CELL::DETACHED, sizeof(Lanes) * (CELL::FIRST - CELL::DETACHED));
      delta = passed;
    }
    first.backward(delta, returned, members);
    add(carried, returned);
  }

  // The gradient of a step, `slot` its place in a block.
  Gradient gradient(int slot) const {
    Lanes *delta = deltas + slot * DELTA_ROWS;
    return {carried, carried_memory, delta, delta + FIRST_ROWS, returned, beside};
  }
};

extern "C" long workspace_bytes(int time) { return Workspace::place(nullptr, nullptr, time); }

// The mean loss over the targets that count, `count` of them, and its gradient (overwritten).
//   inputs (sequences, time, INPUT), targets and mask as in `Targets`, detached (time) or none, parameters (PARAMETERS): M
//   (FIRST + SECOND rows, COLUMNS) and what the cell has beside it, readout (OUTPUTS or 1, COLUMNS; twice with READS_CONTEXT), workspace:
//   workspace_bytes(time) bytes, 64-byte aligned. All row-major.
extern "C" double loss_and_gradient(int sequences, int time, const Real *inputs, const Targets::Number *targets,
                                    const bool *mask, long count, const bool *detached, const Real *parameters,
                                    const Real *readout, Real constant_gate, Real *parameter_gradient,
                                    Real *readout_gradient, char *workspace) {
  const CELL cell{constant_gate, parameters + MATRIX};
  Workspace w;
  Workspace::place(&w, workspace, time);
  w.start(parameters, detached);
  w.readout.start(readout);
  std::memset(w.deltas, 0, sizeof(Lanes) * BLOCK * DELTA_ROWS);
  std::memset(w.beside, 0, sizeof(Lanes) * CELL::BESIDE);
  double loss = 0;

  for (int first = 0; first < sequences; first += TILE) {
    const int members = w.load(sequences, first, time, inputs);
    const Targets held{targets, mask, time, first, members, Real(1) / Real(count)};
    for (int t = 0; t < time; t++) {
      w.advance(cell, t, members);
      loss += w.readout.forward(held, t, w.output(t), w.filtered + t * long(Z_ROWS));
    }

    std::memset(w.carried, 0, sizeof(Lanes) * HIDDEN);
    std::memset(w.carried_memory, 0, sizeof(Lanes) * HIDDEN);
    for (int start = (time - 1) / BLOCK * BLOCK; start >= 0; start -= BLOCK) {
      const int steps = time - start < BLOCK ? time - start : BLOCK;
      for (int t = start + steps - 1; t >= start; t--) {
        const Step at = w.step(t);
        const Gradient gradient = w.gradient(t - start);
        if (READS_FILTERED) std::memset(w.read, 0, sizeof(Lanes) * HIDDEN);
        w.readout.backward(t, w.output(t), CELL::OUTPUTS_FILTERED ? w.read : w.carried, w.returned, members);
        w.readout.backward_filtered(t, w.read, w.returned, members);
        cell.backward(at, gradient);
        if (CELL::SECOND) w.second.backward(gradient.second, w.returned, members);
        if (READS_FILTERED) add(w.returned, w.read);
        cell.between_backward(at, gradient);
        w.back(at, gradient.first, members);
      }
      for (int t = 0; t < steps; t++) w.operands->fill(w.z + (start + t) * long(Z_ROWS), t);
      w.first.add_gradient(w.deltas, DELTA_ROWS, *w.operands, steps, members);
      if (CELL::SECOND) {
        for (int t = 0; t < steps; t++) w.operands->fill(w.filtered + (start + t) * long(Z_ROWS), t);
        w.second.add_gradient(w.deltas + FIRST_ROWS, DELTA_ROWS, *w.operands, steps, members);
      }
      w.readout.add_gradient(
          start, steps, members, *w.operands, [&](long t) { return w.output(t); },
          [&](long t) { return w.filtered + t * long(Z_ROWS); });
    }
  }
  w.first.collect_gradient(parameter_gradient);
  w.second.collect_gradient(parameter_gradient + CELL::FIRST * COLUMNS);
  for (int i = 0; i < CELL::BESIDE; i++) parameter_gradient[MATRIX + i] = sum(w.beside[i]);
  w.readout.collect_gradient(readout_gradient);
  return loss / double(count);
}

// States s_0 = 0, s_1, …, s_T: out (sequences, time + 1, STATE), [h; c] where a cell has a memory. The rest as above.
extern "C" void states(int sequences, int time, const Real *inputs, const Real *parameters, Real constant_gate,
                       Real *out, char *workspace) {
  const CELL cell{constant_gate, parameters + MATRIX};
  Workspace w;
  Workspace::place(&w, workspace, time);
  w.start(parameters, nullptr);
  for (int first = 0; first < sequences; first += TILE) {
    const int members = w.load(sequences, first, time, inputs);
    for (int t = 0; t < time; t++) w.advance(cell, t, members);
    for (int t = 0; t <= time; t++) {
      const Real *h = reinterpret_cast<const Real *>(w.z + long(t) * Z_ROWS);
      const Real *c = reinterpret_cast<const Real *>(w.memory + long(t) * CELL::MEMORY);
      for (int lane = 0; lane < members; lane++) {
        Real *state = out + (long(first + lane) * (time + 1) + t) * STATE;
        for (int unit = 0; unit < STATE; unit++)
          state[unit] = (unit < HIDDEN ? h + unit * TILE : c + (unit - HIDDEN) * TILE)[lane];
      }
    }
  }
}
