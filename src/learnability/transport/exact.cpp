// Exact transport of row vectors v_{t,ℓ} = δ_tᵀ J_t … J_{t-ℓ+1} (see exact.py), and what is summed over them: float64, one
// thread.
//
// A tile of sequences goes back through time, one sequence to a lane (see native.hpp). Each step is taken once more from the
// state before it, and all vectors that are on their way are pulled back over it while its activations are in cache.

#include <cmath>
#include <cstring>
#include <vector>

using Real = double;
#include "../cells/native.hpp"

constexpr int FIRST_ROWS = padded(CELL::FIRST, ROWS), SECOND_ROWS = padded(CELL::SECOND, ROWS);
constexpr int HIDDEN_ROWS = padded(HIDDEN, ROWS);

// Rows of lanes at one t of an array (rows, stride / TILE, TILE).
static void read(const double *base, long stride, long t, int count, Lanes *rows) {
  for (int row = 0; row < count; row++) std::memcpy(rows + row, base + row * stride + t * TILE, sizeof(Lanes));
}

static Lanes norm(const Lanes *rows) {
  Lanes total{};
  for (int row = 0; row < STATE; row++)
    for (int v = 0; v < VECTORS; v++) total.part[v] += rows[row].part[v] * rows[row].part[v];
  for (int lane = 0; lane < TILE; lane++) {
    Real &value = reinterpret_cast<Real *>(&total)[lane];
    value = std::sqrt(value);
  }
  return total;
}

static double sum(const Lanes &x, int sequences) {
  double total = 0;
  for (int lane = 0; lane < sequences; lane++) total += x.part[lane / WIDTH][lane % WIDTH];
  return total;
}

// p and states: (STATE, stride), where t and lane count within the stride.
struct Layout {
  int sequences, time, units, tile;
  long stride;
};

// p as the states, along so many directions w that lie `apart` numbers from each other, δ (STATE, kept, TILE), ends t
// counted from 0.
struct Signal {
  const double *projected, *delta;
  const int *ends;
  int kept, directions;
  long apart;
};

// One step of all sequences, taken from h_{t-1}, c_{t-1} and x_t, and its products with row vectors.
class Retaken {
 public:
  Retaken(const double *matrix, double constant_gate)
      : cell{constant_gate},
        first(matrix),
        second(matrix + CELL::FIRST * COLUMNS),
        z(COLUMNS), next(HIDDEN), filtered(COLUMNS), memory(2 * CELL::MEMORY), activations(FIRST_ROWS + SECOND_ROWS),
        deltas(FIRST_ROWS + SECOND_ROWS), returned(HIDDEN_ROWS) {}

  void take(const Layout &layout, const double *inputs, const double *states, int t) {
    read(states, layout.stride, t, HIDDEN, z.data());
    if (CELL::MEMORY) read(states + HIDDEN * layout.stride, layout.stride, t, HIDDEN, memory.data());
    for (int lane = 0; lane < layout.sequences; lane++) {
      const double *x = inputs + (long(lane) * layout.time + t) * INPUT;
      for (int i = 0; i < INPUT; i++) z[HIDDEN + i].part[lane / WIDTH][lane % WIDTH] = x[i];
    }
    for (int v = 0; v < VECTORS; v++) z[COLUMNS - 1].part[v] = Vector{} + 1.0;
    std::memcpy(&filtered[HIDDEN], &z[HIDDEN], sizeof(Lanes) * (INPUT + 1));
    const Step at = step();
    first.forward(at.previous, at.first);
    cell.between(at);
    second.forward(at.filtered, at.second);
    cell.forward(at);
  }

  // v becomes vᵀ J_t.
  void pull_back(Lanes *v) {
    const Step at = step();
    const Gradient gradient{v, v + HIDDEN, deltas.data(), deltas.data() + FIRST_ROWS, returned.data()};
    cell.backward(at, gradient);
    if (CELL::SECOND) second.backward(gradient.second, returned.data());
    cell.between_backward(at, gradient);
    first.backward(gradient.first, returned.data());
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int part = 0; part < VECTORS; part++) v[unit].part[part] += returned[unit].part[part];
  }

 private:
  // Rows of M that see the same operand, and the transpose of their U.
  template <int COUNT>
  struct Product {
    std::vector<Real> weights, transposed;

    explicit Product(const double *matrix)
        : weights(long(padded(COUNT, ROWS)) * COLUMNS), transposed(long(HIDDEN_ROWS) * COUNT) {
      pack<COLUMNS>(weights.data(), COUNT, [&](int row, int column) { return matrix[row * COLUMNS + column]; });
      pack<COUNT>(transposed.data(), HIDDEN, [&](int row, int column) { return matrix[column * COLUMNS + row]; });
    }

    void forward(const Lanes *in, Lanes *out) const { multiply<padded(COUNT, ROWS), COLUMNS>(weights.data(), in, out); }
    void backward(const Lanes *in, Lanes *out) const { multiply<HIDDEN_ROWS, COUNT>(transposed.data(), in, out); }
  };

  CELL cell;
  Product<CELL::FIRST> first;
  Product<CELL::SECOND> second;
  std::vector<Lanes> z, next, filtered, memory, activations, deltas, returned;

  Step step() {
    return {activations.data(), activations.data() + FIRST_ROWS, z.data(), next.data(), filtered.data(),
            memory.data(), memory.data() + CELL::MEMORY};
  }
};

// Adds S_{t,ℓ} = Σ_q o_q(ℓ) v^{(q)}_{t,ℓ} p^{(q)}_{t-ℓ} at each end, all of them beyond the largest lag, Σ v p and Σ ‖v‖/‖δ‖.
//   inputs (sequences, time, INPUT), matrix M (FIRST + SECOND rows, COLUMNS), signs o (directions, count, STATE);
//   statistic (kept, directions, count, TILE), alignment (directions, count, STATE), magnitude (count).
extern "C" void add_exact(const double *inputs, const double *matrix, const double *states, double constant_gate,
                          Signal signal, Layout layout, const double *signs, const int *lags, int count,
                          double *statistic, double *alignment, double *magnitude) {
  Retaken step(matrix, constant_gate);
  const int length = lags[count - 1], kept = signal.kept, directions = signal.directions, *ends = signal.ends;
  std::vector<int> index_of(length + 1, -1);
  for (int index = 0; index < count; index++) index_of[lags[index]] = index;
  std::vector<Lanes> vectors(long(kept) * STATE), sizes(kept), p(directions * STATE);
  std::vector<Lanes> sums(long(directions) * count * STATE), gains(count);

  int started = kept;  // vectors from here on are on their way, or there
  for (int t = ends[kept - 1]; t > ends[0] - length; t--) {
    step.take(layout, inputs, states, t);
    for (int d = 0; d < directions; d++)
      read(signal.projected + d * signal.apart, layout.stride, t - 1, STATE, &p[d * STATE]);
    if (started > 0 && ends[started - 1] == t) {
      Lanes *v = &vectors[long(--started) * STATE];
      read(signal.delta, long(kept) * TILE, started, STATE, v);
      sizes[started] = norm(v);
    }
    for (int k = started; k < kept && ends[k] - t < length; k++) {
      Lanes *v = &vectors[long(k) * STATE];
      step.pull_back(v);
      const int index = index_of[ends[k] - t + 1];
      if (index < 0) continue;
      for (int d = 0; d < directions; d++) {
        Lanes found{};
        const long row = long(d) * count + index;
        for (int unit = 0; unit < STATE; unit++)
          for (int part = 0; part < VECTORS; part++) {
            const Vector zeta = v[unit].part[part] * p[d * STATE + unit].part[part];
            found.part[part] += signs[row * STATE + unit] * zeta;
            sums[row * STATE + unit].part[part] += zeta;
          }
        std::memcpy(statistic + (long(k) * directions * count + row) * TILE, &found, sizeof found);
      }
      const Lanes size = norm(v);
      for (int part = 0; part < VECTORS; part++) gains[index].part[part] += size.part[part] / sizes[k].part[part];
    }
  }
  for (long each = 0; each < long(sums.size()); each++) alignment[each] += sum(sums[each], layout.sequences);
  for (int index = 0; index < count; index++) magnitude[index] += sum(gains[index], layout.sequences);
}

// Adds Σ_t δ_tᵀ ds_t/dθ w over the ends, with p the immediate ⟨B_t, w⟩: one vector, to which each end adds its δ, goes back
// over all steps.
//   gradient (directions, TILE); the rest as above.
extern "C" void add_gradient(const double *inputs, const double *matrix, const double *states, double constant_gate,
                             Signal signal, Layout layout, double *gradient) {
  Retaken step(matrix, constant_gate);
  std::vector<Lanes> carried(STATE), delta(STATE), p(STATE), found(signal.directions);
  int k = signal.kept - 1;
  for (int t = signal.ends[k]; t >= 0; t--) {
    if (k >= 0 && signal.ends[k] == t) {
      read(signal.delta, long(signal.kept) * TILE, k--, STATE, delta.data());
      for (int unit = 0; unit < STATE; unit++)
        for (int part = 0; part < VECTORS; part++) carried[unit].part[part] += delta[unit].part[part];
    }
    for (int d = 0; d < signal.directions; d++) {
      read(signal.projected + d * signal.apart, layout.stride, t, STATE, p.data());
      for (int unit = 0; unit < STATE; unit++)
        for (int part = 0; part < VECTORS; part++) found[d].part[part] += carried[unit].part[part] * p[unit].part[part];
    }
    step.take(layout, inputs, states, t);
    step.pull_back(carried.data());
  }
  std::memcpy(gradient, found.data(), sizeof(Lanes) * found.size());
}
