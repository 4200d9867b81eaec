// First-order windows as products of dual numbers (see windows.py), and what is summed over them: float64, one thread.
//
// One unit and LANES sequences at a time, so that the windows of all t stay in the second cache while the lags go by.
// Each lag costs one pass: compose with the step from the lag before, and sum.

#include <algorithm>
#include <cstdint>
#include <vector>

#if defined(__AVX512F__)
constexpr int LANES = 8;
#elif defined(__AVX__)
constexpr int LANES = 4;
#else
constexpr int LANES = 2;
#endif

typedef double Vector __attribute__((vector_size(8 * LANES)));
typedef int64_t Bits __attribute__((vector_size(8 * LANES)));

static inline Vector magnitude(Vector x) { return (Vector)((Bits)x & INT64_MAX); }

static inline double sum(const Vector &x, int count) {
  double total = 0;
  for (int lane = 0; lane < count; lane++) total += x[lane];
  return total;
}

// γ⁰ + ε γ¹ of a window, in LANES sequences.
struct Dual {
  Vector zeroth, first;

  Dual operator*(const Dual &other) const {
    return {zeroth * other.zeroth, first * other.zeroth + zeroth * other.first};
  }
};

// By t, counted from 0. Of windows: by the t at which they end; entries before their length hold nothing.
using Duals = std::vector<Dual>;

// Diagonals of one-step Jacobians (`Diagonals` of linearization.py), null for those that the cell does not have.
struct Diagonals {
  const Vector *retention, *mixing, *expression, *output;
};

// How they lie in memory, (unit, time, lane): so many numbers from a t to the next, and from a unit to the next.
struct Layout {
  int sequences, time, units, tile;
  long stride;

  int parts() const { return (sequences + LANES - 1) / LANES; }
  // Sequences in a part.
  int present(int part) const { return std::min(LANES, sequences - part * LANES); }
  long at(int unit, int t, int part) const { return unit * (stride / LANES) + t * (tile / LANES) + part; }
};

// The windows of one unit in LANES sequences, lag by lag.
class Windows {
 public:
  explicit Windows(int time) : time(time), single(time), made(time), half(time), last(time), first(time) {}

  void load(const Diagonals &diagonals, const Layout &layout, int unit, int part) {
    bounded = diagonals.expression;
    Vector before{};  // e_{t-1}; no window needs e_0
    for (int t = 0; t < time; t++) {
      const long at = layout.at(unit, t, part);
      single[t] = {diagonals.retention[at], diagonals.mixing[at]};
      if (!bounded) continue;
      const Vector e = diagonals.expression[at];
      single[t].first *= before;
      first[t] = {single[t].zeroth, Vector{}};
      last[t] = {e * single[t].zeroth, diagonals.output[at] * before + e * single[t].first};
      before = e;
    }
    length = reached = 0;
  }

  // Go on to the next lag, for windows that end at `ends` (increasing); calls visit(k, window) for the k-th of them.
  template <typename Visit>
  void next(int lag, const std::vector<int> &ends, Visit visit) {
    const int count = int(ends.size()), wanted = bounded ? std::max(lag - 2, 0) : lag;
    inner.resize(count);
    int k = int(std::lower_bound(ends.begin(), ends.end(), wanted - 1 + bounded) - ends.begin());
    const int complete = int(std::lower_bound(ends.begin(), ends.end(), lag) - ends.begin());
    const Duals *step = wanted > reached ? &steps(wanted - reached) : nullptr;
    for (; step && k < count; k++) {
      const Dual &earlier = (*step)[ends[k] - bounded - reached];
      inner[k] = reached ? inner[k] * earlier : earlier;
      if (k >= complete && !bounded) visit(k, inner[k]);
    }
    for (k = complete; bounded && k < count; k++) {
      const Dual &final = last[ends[k]], &start = first[ends[k] - lag + 1];
      visit(k, lag == 1 ? Dual{final.zeroth, Vector{}} : wanted ? final * inner[k] * start : final * start);
    }
    reached = wanted;
  }

 private:
  int time, length = 0, reached = 0;
  bool bounded = false;
  Duals single, made, half, last, first, inner;

  // Windows of any length over the same factors, by doubling; the last ones made are kept.
  const Duals &steps(int wanted) {
    if (wanted != length) make(length = wanted);
    return made;
  }

  void make(int wanted) {
    if (wanted == 1) {
      made = single;
      return;
    }
    make(wanted / 2);
    half = made;
    const int even = wanted / 2 * 2;
    for (int t = even - 1; t < time; t++) made[t] = half[t] * half[t - wanted / 2];
    for (int t = wanted - 1; t < time && even < wanted; t++) made[t] = made[t] * single[t - even];
  }
};

// Adds, for each lag and unit, the sums of γ⁰, γ¹ and |γ⁰ + γ¹| over sequences and t > lag.
//   lags (count), increasing; sums (3, count, units), row-major.
extern "C" void add_rates(Diagonals diagonals, Layout layout, const int *lags, int count, double *sums) {
  Windows windows(layout.time);
  std::vector<int> ends(layout.time);
  for (int t = 0; t < layout.time; t++) ends[t] = t;
  const long plane = long(count) * layout.units;
  for (int part = 0; part < layout.parts(); part++)
    for (int unit = 0; unit < layout.units; unit++) {
      windows.load(diagonals, layout, unit, part);
      for (int index = 0; index < count; index++) {
        Vector zeroth{}, first{}, both{};
        windows.next(lags[index], ends, [&](int, const Dual &window) {
          zeroth += window.zeroth;
          first += window.first;
          both += magnitude(window.zeroth + window.first);
        });
        double *to = sums + long(index) * layout.units + unit;
        to[0] += sum(zeroth, layout.present(part));
        to[plane] += sum(first, layout.present(part));
        to[2 * plane] += sum(both, layout.present(part));
      }
    }
}

// ζ_{t,ℓ} = δ_t p_{t-ℓ} at t = ends, counted from 0: p as the diagonals, δ (units, kept, tile).
struct Signal {
  const Vector *projected, *delta;
  const int *ends;
  int kept;

  Vector at(const Layout &layout, int unit, int k, int part, int lag) const {
    return delta[kept_at(layout, unit, k, part)] * projected[layout.at(unit, ends[k] - lag, part)];
  }
  long kept_at(const Layout &layout, long row, int k, int part) const {
    return (row * kept + k) * (layout.tile / LANES) + part;
  }
};

// Adds Σ ζ over sequences and ends, (count, units).
extern "C" void add_alignment(Signal signal, Layout layout, const int *lags, int count, double *alignment) {
  for (int part = 0; part < layout.parts(); part++)
    for (int unit = 0; unit < layout.units; unit++)
      for (int index = 0; index < count; index++) {
        Vector aligned{};
        for (int k = 0; k < signal.kept; k++) aligned += signal.at(layout, unit, k, part, lags[index]);
        alignment[long(index) * layout.units + unit] += sum(aligned, layout.present(part));
      }
}

// Adds S_{t,ℓ} = Σ_q o_q(ℓ) μ_{t,ℓ} ζ_{t,ℓ} at each end, all of them beyond the largest lag, and Σ |μ|.
//   signs o (count, units); statistic (count, kept, tile); magnitudes (count).
extern "C" void add_statistic(Diagonals diagonals, Signal signal, Layout layout, const double *signs, const int *lags,
                              int count, Vector *statistic, double *magnitudes) {
  Windows windows(layout.time);
  const std::vector<int> ends(signal.ends, signal.ends + signal.kept);
  for (int part = 0; part < layout.parts(); part++)
    for (int unit = 0; unit < layout.units; unit++) {
      windows.load(diagonals, layout, unit, part);
      for (int index = 0; index < count; index++) {
        const double sign = signs[long(index) * layout.units + unit];
        Vector both{};
        windows.next(lags[index], ends, [&](int k, const Dual &window) {
          const Vector mu = window.zeroth + window.first;
          both += magnitude(mu);
          statistic[signal.kept_at(layout, index, k, part)] += sign * mu * signal.at(layout, unit, k, part, lags[index]);
        });
        magnitudes[index] += sum(both, layout.present(part));
      }
    }
}
