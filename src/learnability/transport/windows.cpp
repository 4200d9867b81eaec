// First-order windows as products of dual numbers (see windows.py), and what is summed over them: float64, one
// sequence, one thread.
//
// A window grows from lag to lag, by a step from the lag before; the steps, themselves windows, are made once for all
// t. Loops run over BLOCK ends t side by side. What ends before its lag starts in zeros: it is 0, and adds nothing.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

constexpr int BLOCK = 32;  // what a block sums stays in cache

typedef std::vector<double> Series;  // by t

// A number for each end of a block.
struct alignas(64) Ends {
  double of[BLOCK];
};

// Diagonals of one-step Jacobians (`Diagonals` of linearization.py), (units, time), null for those that the cell does
// not have.
struct Diagonals {
  const double *retention, *mixing, *expression, *output, *reset;
};

// γ⁰ + ε γ¹ of windows, by the t at which they end, and ρ⁰ beside it.
struct Windows {
  Series zeroth, first, reset;

  explicit Windows(long length = 0) : zeroth(length), first(length), reset(length) {}
};

// Those of BLOCK ends.
template <bool RESET>
struct Block {
  static constexpr int QUANTITIES = RESET ? 6 : 3;
  alignas(64) double zeroth[BLOCK], first[BLOCK], reset[BLOCK];

  void take(const Windows &windows, long end) {
    std::copy_n(&windows.zeroth[end], BLOCK, zeroth);
    std::copy_n(&windows.first[end], BLOCK, first);
    if (RESET) std::copy_n(&windows.reset[end], BLOCK, reset);
  }

  void prolong(const Windows &windows, long end) {
    const double *a = &windows.zeroth[end], *d = &windows.first[end], *r = &windows.reset[end];
    for (int e = 0; e < BLOCK; e++) {
      first[e] = first[e] * a[e] + zeroth[e] * d[e];
      zeroth[e] *= a[e];
      if (RESET) reset[e] *= r[e];
    }
  }

  void scale(const double *factor) {
    for (int e = 0; e < BLOCK; e++) zeroth[e] *= factor[e], first[e] *= factor[e];
  }

  double rate(int e) const {
    const double strict = zeroth[e] + first[e];
    return RESET ? strict + reset[e] + zeroth[e] * reset[e] : strict;
  }

  // What `add_rates` sums.
  void add_to(double (*sums)[BLOCK]) const {
    for (int e = 0; e < BLOCK; e++) {
      sums[0][e] += zeroth[e];
      sums[1][e] += first[e];
      sums[2][e] += std::fabs(zeroth[e] + first[e]);
      if (!RESET) continue;
      sums[3][e] += reset[e];
      sums[4][e] += zeroth[e] * reset[e];
      sums[5][e] += std::fabs(rate(e));
    }
  }
};

// The windows of one unit. In a series, t lies `before` entries in: zeros stand before the first step and after the
// last. The first step itself is 0 too, as no window that starts at t > 0 crosses it.
template <bool RESET>
class Unit {
 public:
  Unit(int time, const int *lags, int count) : lags(lags, lags + count), before(lags[count - 1]), time(time) {}

  long length() const { return before + (time + BLOCK - 1) / BLOCK * BLOCK; }

  void load(const Diagonals &diagonals, long unit) {
    const auto at = [&](const double *of, int t) { return of[unit * time + t]; };
    bounded = diagonals.expression;
    Windows &single = made.emplace(1, Windows(length())).first->second;
    if (bounded) last = Windows(length()), start = Series(length());
    for (int t = 1; t < time; t++) {
      const double a = at(diagonals.retention, t), d = at(diagonals.mixing, t);
      single.zeroth[before + t] = a;
      single.first[before + t] = d;
      if (RESET) single.reset[before + t] = at(diagonals.reset, t);
      if (!bounded) continue;
      const double e = at(diagonals.expression, t), earlier = at(diagonals.expression, t - 1);
      single.first[before + t] = d * earlier;
      start[before + t] = a;
      last.zeroth[before + t] = e * a;
      last.first[before + t] = at(diagonals.output, t) * earlier + e * d * earlier;
    }
    for (int reached = 0, index = 0; index < int(lags.size()); reached = within(lags[index++])) {
      const int step = within(lags[index]) - reached;
      steps.push_back({reached, step ? &make(step) : nullptr});
    }
  }

  // Calls visit(index, block) for the windows of each lag that end at t = end, …, end + BLOCK - 1.
  template <typename Visit>
  void visit(int end, Visit visit) const {
    Block<RESET> block;
    const long at = before + end;
    if (bounded) block.take(last, at);
    for (int index = 0; index < int(lags.size()); index++) {
      const auto &[reached, step] = steps[index];
      if (step && !bounded && !reached) block.take(*step, at);
      else if (step) block.prolong(*step, at - bounded - reached);
      if (!bounded) {
        visit(index, block);
        continue;
      }
      Block<RESET> whole = block;
      if (lags[index] > 1) whole.scale(&start[at - lags[index] + 1]);
      else std::fill_n(whole.first, BLOCK, 0.0);
      visit(index, whole);
    }
  }

 private:
  std::vector<int> lags;
  long before;
  int time;
  bool bounded = false;
  Windows last;
  Series start;
  std::map<int, Windows> made;
  std::vector<std::pair<int, const Windows *>> steps;  // steps reached so far, and windows of those to come

  // Steps between the ends of a window, where these are others.
  int within(int lag) const { return bounded ? std::max(lag - 2, 0) : lag; }

  // Windows of any length, by doubling.
  const Windows &make(int size) {
    const auto known = made.find(size);
    if (known != made.end()) return known->second;
    const Windows &later = make(size - size / 2), &earlier = make(size / 2);
    Windows &both = made.emplace(size, Windows(length())).first->second;
    const int apart = size - size / 2;
    for (long t = before; t < before + time; t++) {
      const double a = earlier.zeroth[t - apart], d = earlier.first[t - apart];
      both.zeroth[t] = later.zeroth[t] * a;
      both.first[t] = later.first[t] * a + later.zeroth[t] * d;
      if (RESET) both.reset[t] = later.reset[t] * earlier.reset[t - apart];
    }
    return both;
  }
};

static double total(const double *values) {
  double sum = 0;
  for (int e = 0; e < BLOCK; e++) sum += values[e];
  return sum;
}

static double inner(const double *a, const double *b, int count) {
  constexpr int CHAINS = 16;  // sums side by side
  double sums[CHAINS] = {}, sum = 0;
  int i = 0;
  for (; i + CHAINS <= count; i += CHAINS)
    for (int chain = 0; chain < CHAINS; chain++) sums[chain] += a[i + chain] * b[i + chain];
  for (; i < count; i++) sum += a[i] * b[i];
  for (double chain : sums) sum += chain;
  return sum;
}

template <bool RESET>
static void sum_rates(const Diagonals &diagonals, int time, int units, const int *lags, int count, double *sums) {
  constexpr int QUANTITIES = Block<RESET>::QUANTITIES;
  std::vector<double> partial(long(count) * QUANTITIES * BLOCK);
  for (int unit = 0; unit < units; unit++) {
    Unit<RESET> windows(time, lags, count);
    windows.load(diagonals, unit);
    std::fill(partial.begin(), partial.end(), 0.0);
    const auto of = [&](int index) {
      return reinterpret_cast<double(*)[BLOCK]>(&partial[long(index) * QUANTITIES * BLOCK]);
    };
    for (int end = 0; end < time; end += BLOCK)
      windows.visit(end, [&](int index, const Block<RESET> &block) { block.add_to(of(index)); });
    for (int index = 0; index < count; index++)
      for (int quantity = 0; quantity < QUANTITIES; quantity++)
        sums[(long(quantity) * count + index) * units + unit] += total(of(index)[quantity]);
  }
}

// Adds the sums of γ⁰, γ¹ and |γ⁰ + γ¹| over t > lag; with a reset gate also those of ρ⁰, η⁰ and |γ⁰ + γ¹ + ρ⁰ + η⁰|.
//   lags (count), increasing; sums (3 or 6, count, units).
extern "C" void add_rates(Diagonals diagonals, int time, int units, const int *lags, int count, double *sums) {
  (diagonals.reset ? sum_rates<true> : sum_rates<false>)(diagonals, time, units, lags, count, sums);
}

// What windows are held against (see `Probes` of engine.py): ρ (units, time); p (probes, units, time), `apart` numbers
// from one probe to the next; o (probes, lags, units); e (errors, time); pairs (error, probe).
struct Probes {
  const double *gradient, *projected, *signs, *errors;
  const int *aligned;
  int probes, error_signals, pairs, kept;
  long apart;
};

// Adds Σ e_t ρ_t p_{t-ℓ} over t > ℓ, (pairs, count, units).
extern "C" void add_alignment(Probes given, int time, int units, const int *lags, int count, double *alignment) {
  for (int pair = 0; pair < given.pairs; pair++)
    for (int unit = 0; unit < units; unit++) {
      const double *e = given.errors + long(given.aligned[2 * pair]) * time, *rho = given.gradient + long(unit) * time;
      const double *p = given.projected + given.aligned[2 * pair + 1] * given.apart + long(unit) * time;
      Series delta(time);
      for (int t = 0; t < time; t++) delta[t] = e[t] * rho[t];
      for (int index = 0; index < count && lags[index] < time; index++)
        alignment[(long(pair) * count + index) * units + unit] += inner(&delta[lags[index]], p, time - lags[index]);
    }
}

// See `Derivatives` of engine.py: values (kept, lags, time), a row of time `apart` numbers from the next; sums (errors,
// probes, lags); to alignment (pairs, lags, units) and magnitude (lags, units) is added.
struct Derivatives {
  double *values, *sums, *alignment, *magnitude;
  long apart;
};

template <bool RESET>
static void sum_first_order(const Diagonals &diagonals, const Probes &given, int time, int units, const int *lags,
                            int count, const Derivatives &to) {
  const long before = lags[count - 1], length = before + (time + BLOCK - 1) / BLOCK * BLOCK;
  const int rows = given.apart ? given.probes : 1;
  const auto pad = [&](const double *from, long series) {
    Series padded(series * length);
    for (long i = 0; i < series; i++) std::copy_n(from + i * time, time, &padded[i * length + before]);
    return padded;
  };
  std::vector<Unit<RESET>> windows(units, Unit<RESET>(time, lags, count));
  for (int unit = 0; unit < units; unit++) windows[unit].load(diagonals, unit);
  const Series gradient = pad(given.gradient, units);
  std::vector<Series> projected;
  for (int row = 0; row < rows; row++) projected.push_back(pad(given.projected + row * given.apart, units));
  std::vector<Ends> derivatives(long(given.probes) * count), magnitudes(long(units) * count);

  for (int end = 0; end < time; end += BLOCK) {
    std::fill(derivatives.begin(), derivatives.end(), Ends{});
    for (int unit = 0; unit < units; unit++) {
      const double *rho = &gradient[unit * length + before + end];
      windows[unit].visit(end, [&](int index, const Block<RESET> &block) {
        Ends carried;
        double *magnitude = magnitudes[long(unit) * count + index].of;
        for (int e = 0; e < BLOCK; e++) {
          const double rate = block.rate(e);
          magnitude[e] += std::fabs(rate);
          carried.of[e] = rate * rho[e];
        }
        for (int probe = 0; probe < given.probes; probe++) {
          const double sign = given.signs[(long(probe) * count + index) * units + unit];
          const double *p = &projected[given.apart ? probe : 0][unit * length + before + end - lags[index]];
          double *derivative = derivatives[long(index) * given.probes + probe].of;
          for (int e = 0; e < BLOCK; e++) derivative[e] += sign * carried.of[e] * p[e];
        }
      });
    }
    const int present = std::min(BLOCK, time - end);
    for (int probe = 0; probe < given.probes; probe++)
      for (int index = 0; index < count; index++) {
        const double *derivative = derivatives[long(index) * given.probes + probe].of;
        const long row = long(probe) * count + index;
        if (probe < given.kept) std::copy_n(derivative, present, to.values + row * to.apart + end);
        for (int error = 0; error < given.error_signals; error++) {
          const double *e = given.errors + long(error) * time + end;
          to.sums[long(error) * given.probes * count + row] += inner(e, derivative, present);
        }
      }
  }
  for (int unit = 0; unit < units; unit++)
    for (int index = 0; index < count; index++)
      to.magnitude[long(index) * units + unit] += total(magnitudes[long(unit) * count + index].of);
}

// D of all lags for one sequence.
extern "C" void add_first_order(Diagonals diagonals, Probes given, int time, int units, const int *lags, int count,
                                Derivatives to) {
  (diagonals.reset ? sum_first_order<true> : sum_first_order<false>)(diagonals, given, time, units, lags, count, to);
  add_alignment(given, time, units, lags, count, to.alignment);
}
