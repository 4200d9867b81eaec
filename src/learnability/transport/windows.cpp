// First-order windows as products of dual numbers (see windows.py), and what is summed over them: float64, one thread.
//
// One sequence and LANES units at a time, so that the windows of all t stay in the second cache while the lags go by.
// Each lag costs one pass: compose with the step from the lag before, and sum.

#include <algorithm>
#include <cstdint>
#include <cstring>
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

static inline double sum(const Vector &x) {
  double total = 0;
  for (int q = 0; q < LANES; q++) total += x[q];
  return total;
}

// The first `count` numbers at `from`; the other lanes are 0.
static inline Vector take(const double *from, int count) {
  Vector lanes{};
  if (count == LANES)
    std::memcpy(&lanes, from, sizeof lanes);
  else
    for (int q = 0; q < count; q++) lanes[q] = from[q];
  return lanes;
}

// γ⁰ + ε γ¹ of a window, for LANES units.
struct Dual {
  Vector zeroth, first;

  Dual operator*(const Dual &other) const {
    return {zeroth * other.zeroth, first * other.zeroth + zeroth * other.first};
  }
};

// By t, counted from 0. Of windows: by the t at which they end; entries before their length hold nothing.
using Duals = std::vector<Dual>;

// The factors of windows, (sequences, time, units) each: a_t, d_t; and, where the ends of a window differ, the dual
// number that stands last and the number that stands first (else null).
struct Factors {
  const double *retention, *mixing, *last_zeroth, *last_first, *first;
};

// The windows of one sequence and LANES units, lag by lag.
class Windows {
 public:
  Windows(int time, int units) : time(time), units(units), single(time), made(time), half(time), last(time), first(time) {}

  void load(const Factors &factors, int sequence, int unit) {
    bounded = factors.first;
    const int count = std::min(LANES, units - unit);
    for (int t = 0; t < time; t++) {
      const long at = (long(sequence) * time + t) * units + unit;
      single[t] = {take(factors.retention + at, count), take(factors.mixing + at, count)};
      if (!bounded) continue;
      last[t] = {take(factors.last_zeroth + at, count), take(factors.last_first + at, count)};
      first[t] = {take(factors.first + at, count), Vector{}};
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
  int time, units, length = 0, reached = 0;
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
extern "C" void add_rates(Factors factors, int sequences, int time, int units, const int *lags, int count,
                          double *sums) {
  Windows windows(time, units);
  std::vector<int> ends(time);
  for (int t = 0; t < time; t++) ends[t] = t;
  const long plane = long(count) * units;
  for (int sequence = 0; sequence < sequences; sequence++)
    for (int unit = 0; unit < units; unit += LANES) {
      windows.load(factors, sequence, unit);
      for (int index = 0; index < count; index++) {
        Vector zeroth{}, first{}, both{};
        windows.next(lags[index], ends, [&](int, const Dual &window) {
          zeroth += window.zeroth;
          first += window.first;
          both += magnitude(window.zeroth + window.first);
        });
        double *row = sums + long(index) * units + unit;
        for (int q = 0; q < LANES && unit + q < units; q++) {
          row[q] += zeroth[q];
          row[plane + q] += first[q];
          row[2 * plane + q] += both[q];
        }
      }
    }
}

// S_{t,ℓ} = Σ_q o_q(ℓ) μ_{t,ℓ} ζ_{t,ℓ} with ζ_{t,ℓ} = δ_t p_{t-ℓ}, at t = ends; adds Σ ζ and Σ |μ|.
//   projected p (sequences, time, units); delta (sequences, kept, units); signs o (count, units); ends (kept): t counted
//   from 0, at least the largest lag; statistic (count, sequences, kept); alignment (count, units); magnitudes (count).
extern "C" void add_statistic(Factors factors, const double *projected, const double *delta, const double *signs,
                              int sequences, int time, int units, const int *kept_ends, int kept, const int *lags,
                              int count, double *statistic, double *alignment, double *magnitudes) {
  Windows windows(time, units);
  const std::vector<int> ends(kept_ends, kept_ends + kept);
  std::vector<Vector> sums(long(count) * kept);
  for (int sequence = 0; sequence < sequences; sequence++) {
    std::fill(sums.begin(), sums.end(), Vector{});
    for (int unit = 0; unit < units; unit += LANES) {
      const int present = std::min(LANES, units - unit);
      windows.load(factors, sequence, unit);
      for (int index = 0; index < count; index++) {
        const Vector sign = take(signs + long(index) * units + unit, present);
        Vector aligned{}, both{};
        windows.next(lags[index], ends, [&](int k, const Dual &window) {
          const long from = (long(sequence) * time + ends[k] - lags[index]) * units + unit;
          const long to = (long(sequence) * kept + k) * units + unit;
          const Vector mu = window.zeroth + window.first;
          const Vector zeta = take(delta + to, present) * take(projected + from, present);
          aligned += zeta;
          both += magnitude(mu);
          sums[long(index) * kept + k] += sign * mu * zeta;
        });
        for (int q = 0; q < present; q++) alignment[long(index) * units + unit + q] += aligned[q];
        magnitudes[index] += sum(both);
      }
    }
    for (int index = 0; index < count; index++)
      for (int k = 0; k < kept; k++)
        statistic[(long(index) * sequences + sequence) * kept + k] = sum(sums[long(index) * kept + k]);
  }
}
