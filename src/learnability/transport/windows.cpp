// First-order windows as products of dual numbers (see windows.py), and what is summed over them: float64, one thread.
//
// One unit and LANES sequences at a time. A window grows from lag to lag in registers, by a step from the lag before; the
// steps, themselves windows, are made once for all t and stay in cache.

#include <algorithm>
#include <cstdint>
#include <map>
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

// Diagonals of one-step Jacobians (`Diagonals` of linearization.py), null for those that the cell does not have.
struct Diagonals {
  const Vector *retention, *mixing, *expression, *output, *reset;
};

// γ⁰ + ε γ¹ of a window, in LANES sequences.
struct Dual {
  static constexpr int QUANTITIES = 3;
  Vector zeroth, first;

  static Dual one() { return {Vector{} + 1.0, Vector{}}; }
  static Dual of(const Diagonals &diagonals, long at) { return {diagonals.retention[at], diagonals.mixing[at]}; }

  Dual operator*(const Dual &other) const {
    return {zeroth * other.zeroth, first * other.zeroth + zeroth * other.first};
  }

  Vector rate() const { return zeroth + first; }

  // What `add_rates` sums.
  void add_to(Vector *sums) const {
    sums[0] += zeroth;
    sums[1] += first;
    sums[2] += magnitude(rate());
  }
};

// With ρ⁰ beside it, for Eq. 26.
struct DualWithReset : Dual {
  static constexpr int QUANTITIES = 6;
  Vector reset;

  static DualWithReset one() { return {Dual::one(), Vector{} + 1.0}; }
  static DualWithReset of(const Diagonals &diagonals, long at) { return {Dual::of(diagonals, at), diagonals.reset[at]}; }

  DualWithReset operator*(const DualWithReset &other) const { return {Dual::operator*(other), reset * other.reset}; }

  Vector rate() const { return Dual::rate() + reset + zeroth * reset; }

  void add_to(Vector *sums) const {
    Dual::add_to(sums);
    sums[3] += reset;
    sums[4] += zeroth * reset;
    sums[5] += magnitude(rate());
  }
};

// How they lie in memory, (unit, time, lane): so many numbers from a t to the next, and from a unit to the next.
struct Layout {
  int sequences, time, units, tile;
  long stride;

  // Sequences in a part.
  int present(int part) const { return std::min(LANES, sequences - part * LANES); }
  long at(int unit, int t, int part) const { return unit * (stride / LANES) + t * (tile / LANES) + part; }
};

// The windows of one unit in LANES sequences. Of each, by t counted from 0: by the t at which it ends; entries before its
// length hold nothing.
template <typename Number>
class Windows {
 public:
  Windows(int time, const int *lags, int count) : lags(lags, lags + count), single(time), last(time), first(time) {}

  void load(const Diagonals &diagonals, const Layout &layout, int unit, int part) {
    bounded = diagonals.expression;
    Vector before{};  // e_{t-1}; no window needs e_0
    for (int t = 0; t < layout.time; t++) {
      const long at = layout.at(unit, t, part);
      single[t] = Number::of(diagonals, at);
      if (!bounded) continue;
      const Vector e = diagonals.expression[at];
      single[t].first *= before;
      first[t] = single[t].zeroth;
      last[t].zeroth = e * single[t].zeroth;
      last[t].first = diagonals.output[at] * before + e * single[t].first;
      before = e;
    }
    int reached = 0;
    steps.clear();
    for (int lag : lags) {
      const int wanted = inner(lag);
      if (wanted > reached && !made.count(wanted - reached)) made[wanted - reached].resize(layout.time);
      steps.push_back({reached, wanted > reached ? made[wanted - reached].data() : nullptr});
      reached = wanted;
    }
    for (auto &each : made) make(each.second, each.first);
  }

  // Calls visit(k, index, window) for the windows that end at t = ends[k] (increasing) and start at t > 0.
  template <typename Visit>
  void visit(const std::vector<int> &ends, Visit visit) const {
    const auto lags_before = [&](int end) { return int(std::upper_bound(lags.begin(), lags.end(), end) - lags.begin()); };
    for (int k = 0; k < int(ends.size());) {
      const int count = lags_before(ends[k]);
      if (k + TOGETHER <= int(ends.size()) && lags_before(ends[k + TOGETHER - 1]) == count) {
        visit_some<TOGETHER>(&ends[k], count, [&](int e, int index, const Number &window) { visit(k + e, index, window); });
        k += TOGETHER;
      } else {
        visit_some<1>(&ends[k], count, [&](int, int index, const Number &window) { visit(k, index, window); });
        k++;
      }
    }
  }

 private:
  struct Step {
    int reached;
    const Number *of;
  };

  std::vector<int> lags;
  bool bounded = false;
  std::vector<Number> single, last;
  std::vector<Vector> first;
  std::map<int, std::vector<Number>> made;
  std::vector<Step> steps;

  static constexpr int TOGETHER = 4;  // ends: as many chains of products hide the latency of one

  template <int E, typename Visit>
  void visit_some(const int *ends, int count, Visit visit) const {
    Number window[E];
#pragma GCC unroll 4
    for (int e = 0; e < E; e++) window[e] = bounded ? last[ends[e]] : Number::one();
    for (int index = 0; index < count; index++) {
      const Step step = steps[index];
      const int lag = lags[index];
      if (step.of) {
#pragma GCC unroll 4
        for (int e = 0; e < E; e++) window[e] = window[e] * step.of[ends[e] - bounded - step.reached];
      }
#pragma GCC unroll 4
      for (int e = 0; e < E; e++) {
        Number found = window[e];
        if (bounded && lag == 1) found.first = Vector{};
        if (bounded && lag > 1) {
          found.zeroth *= first[ends[e] - lag + 1];
          found.first *= first[ends[e] - lag + 1];
        }
        visit(e, index, found);
      }
    }
  }

  // Steps between the ends of a window, where these are others.
  int inner(int lag) const { return bounded ? std::max(lag - 2, 0) : lag; }

  // Windows of any length, by doubling.
  void make(std::vector<Number> &windows, int length) const {
    if (length == 1) {
      windows = single;
      return;
    }
    make(windows, length / 2);
    const int even = length / 2 * 2, time = int(single.size());
    for (int t = time - 1; t >= even - 1; t--) windows[t] = windows[t] * windows[t - length / 2];
    for (int t = time - 1; t >= even && even < length; t--) windows[t] = windows[t] * single[t - even];
  }
};

// All units, and sequences by LANES.
template <typename Visit>
static void for_each(const Layout &layout, Visit visit) {
  for (int part = 0; part * LANES < layout.sequences; part++)
    for (int unit = 0; unit < layout.units; unit++) visit(unit, part);
}

template <typename Number>
static void sum_rates(const Diagonals &diagonals, const Layout &layout, const int *lags, int count, double *sums) {
  struct Sums {
    Vector of[Number::QUANTITIES];
  };
  Windows<Number> windows(layout.time, lags, count);
  std::vector<Sums> found(count);
  std::vector<int> ends(layout.time);
  for (int t = 0; t < layout.time; t++) ends[t] = t;
  for_each(layout, [&](int unit, int part) {
    windows.load(diagonals, layout, unit, part);
    std::fill(found.begin(), found.end(), Sums{});
    windows.visit(ends, [&](int, int index, const Number &window) { window.add_to(found[index].of); });
    for (int index = 0; index < count; index++)
      for (int quantity = 0; quantity < Number::QUANTITIES; quantity++)
        sums[(long(index) * layout.units + unit) * Number::QUANTITIES + quantity] +=
            sum(found[index].of[quantity], layout.present(part));
  });
}

// Adds, for each lag and unit, the sums of γ⁰, γ¹ and |γ⁰ + γ¹| over sequences and t > lag; with a reset gate also those
// of ρ⁰, η⁰ and |γ⁰ + γ¹ + ρ⁰ + η⁰|.
//   lags (count), increasing; sums (count, units, 3 or 6), row-major.
extern "C" void add_rates(Diagonals diagonals, Layout layout, const int *lags, int count, double *sums) {
  (diagonals.reset ? sum_rates<DualWithReset> : sum_rates<Dual>)(diagonals, layout, lags, count, sums);
}

// ζ_{t,ℓ} = δ_t p_{t-ℓ} at t = ends, counted from 0: p as the diagonals, along so many directions w that lie `apart`
// numbers from each other, δ (units, kept, tile).
struct Signal {
  const Vector *projected, *delta;
  const int *ends;
  int kept, directions;
  long apart;

  Vector at(const Layout &layout, int direction, int unit, int k, int part, int lag) const {
    return delta[(long(unit) * kept + k) * (layout.tile / LANES) + part] *
           projected[direction * (apart / LANES) + layout.at(unit, ends[k] - lag, part)];
  }
};

// Adds Σ ζ over sequences and ends, (directions, count, units).
extern "C" void add_alignment(Signal signal, Layout layout, const int *lags, int count, double *alignment) {
  for_each(layout, [&](int unit, int part) {
    for (int d = 0; d < signal.directions; d++)
      for (int index = 0; index < count; index++) {
        Vector aligned{};
        for (int k = 0; k < signal.kept; k++) aligned += signal.at(layout, d, unit, k, part, lags[index]);
        alignment[(long(d) * count + index) * layout.units + unit] += sum(aligned, layout.present(part));
      }
  });
}

template <typename Number>
static void sum_statistic(const Diagonals &diagonals, const Signal &signal, const Layout &layout, const double *signs,
                          const int *lags, int count, Vector *statistic, double *magnitudes) {
  Windows<Number> windows(layout.time, lags, count);
  std::vector<Vector> found(count);
  const std::vector<int> ends(signal.ends, signal.ends + signal.kept);
  for_each(layout, [&](int unit, int part) {
    windows.load(diagonals, layout, unit, part);
    std::fill(found.begin(), found.end(), Vector{});
    windows.visit(ends, [&](int k, int index, const Number &window) {
      const Vector mu = window.rate();
      found[index] += magnitude(mu);
      for (int d = 0; d < signal.directions; d++) {
        const long row = long(d) * count + index;
        statistic[(long(k) * signal.directions * count + row) * (layout.tile / LANES) + part] +=
            signs[row * layout.units + unit] * mu * signal.at(layout, d, unit, k, part, lags[index]);
      }
    });
    for (int index = 0; index < count; index++)
      magnitudes[long(index) * layout.units + unit] += sum(found[index], layout.present(part));
  });
}

// Adds S_{t,ℓ} = Σ_q o_q(ℓ) μ_{t,ℓ} ζ_{t,ℓ} at each end, all of them beyond the largest lag, and Σ |μ|.
//   signs o (directions, count, units); statistic (kept, directions, count, tile); magnitudes (count, units).
extern "C" void add_statistic(Diagonals diagonals, Signal signal, Layout layout, const double *signs, const int *lags,
                              int count, Vector *statistic, double *magnitudes) {
  (diagonals.reset ? sum_statistic<DualWithReset> : sum_statistic<Dual>)(diagonals, signal, layout, signs, lags, count,
                                                                         statistic, magnitudes);
}
