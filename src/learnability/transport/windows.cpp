// First-order windows as products of dual numbers (see windows.py), and what is summed over them: float64, one
// sequence, one thread.
//
// A window starts at s, its t - ℓ, and grows from lag to lag by the steps that follow: windows too, made once for all
// ends t. BLOCK starts go side by side, so that their windows, and the probes at them, stay in cache over all lags.
// Beyond the last step all is 0: windows that would end there add nothing.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

#if defined(__AVX512F__)
constexpr int BYTES = 64;
#elif defined(__AVX__)
constexpr int BYTES = 32;
#else
constexpr int BYTES = 16;
#endif

typedef double Vector __attribute__((vector_size(BYTES)));
typedef int64_t Bits __attribute__((vector_size(BYTES)));

constexpr int WIDTH = BYTES / sizeof(double);
constexpr int LINE = 64 / BYTES;  // vectors in a cache line
constexpr int BLOCK = 16;
constexpr int ROWS = 4, MOST = 3;  // ROWS x MOST sums stay in registers

static int parts(int numbers) { return (numbers + WIDTH - 1) / WIDTH; }  // vectors that hold them

static const double *numbers(const Vector *row) { return reinterpret_cast<const double *>(row); }
static double *numbers(Vector *row) { return reinterpret_cast<double *>(row); }

static Vector magnitude(Vector x) { return (Vector)((Bits)x & INT64_MAX); }

// sums = rows · matrix for ROWS rows of `count` numbers. Rows of the matrix are `apart` vectors from one another; with
// signs it is, to each row, another: each number times its sign.
template <int PARTS, bool SIGNED = false>
static inline void multiply(const double *const *rows, const Vector *__restrict matrix, long apart, int count,
                            Vector (&sums)[ROWS][PARTS], const Vector *const *signs = nullptr) {
  Vector own[ROWS][PARTS] = {};
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 3
      for (int part = 0; part < PARTS; part++) {
        const Vector factor = matrix[i * apart + part];
        own[row][part] += rows[row][i] * (SIGNED ? signs[row][i * PARTS + part] * factor : factor);
      }
#pragma GCC unroll 4
  for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 3
    for (int part = 0; part < PARTS; part++) sums[row][part] = own[row][part];
}

// A sequence, and its lags, increasing.
struct Grid {
  int time, units;
  const int *lags;
  int count;

  // Lags that windows from `start` on can cross.
  int present(int start) const { return std::lower_bound(lags, lags + count, time - start) - lags; }
};

// Diagonals of one-step Jacobians (`Diagonals` of linearization.py), (units, time), null for those that the cell does
// not have.
struct Diagonals {
  const double *retention, *mixing, *expression, *output, *reset;
};

// γ⁰ + ε γ¹ of a few units, and with a reset gate ρ⁰.
struct Plain {
  static constexpr bool RESET = false;
  Vector zeroth, first;
  Vector rate() const { return zeroth + first; }
};

struct Gated {
  static constexpr bool RESET = true;
  Vector zeroth, first, reset;
  Vector rate() const { return zeroth + first + reset + zeroth * reset; }
};

static inline Plain compose(const Plain &later, const Plain &earlier) {
  return {later.zeroth * earlier.zeroth, later.zeroth * earlier.first + later.first * earlier.zeroth};
}

static inline Gated compose(const Gated &later, const Gated &earlier) {
  return {later.zeroth * earlier.zeroth, later.zeroth * earlier.first + later.first * earlier.zeroth,
          later.reset * earlier.reset};
}

// The windows of one sequence; `Window` is Plain or Gated.
template <typename Window>
class Windows {
 public:
  const int parts;  // of a row of units

  Windows(const Diagonals &diagonals, const Grid &grid)
      : parts(::parts(grid.units)), grid(grid), bounded(diagonals.expression), block(new Window[BLOCK * parts]) {
    made.push_back({1, 0, 0, rows()});
    if (bounded) last = rows();
    for (int part = 0; part < parts; part++) load(diagonals, part);
    for (int index = 0, reached = 0; index < grid.count; reached = within(grid.lags[index++])) {
      const int step = within(grid.lags[index]) - reached;
      steps.push_back(step ? make(step) : -1);
    }
    // A few t at a time, so that what one is made from is still in cache.
    for (int start = 0; start < grid.time; start += BLOCK)
      for (size_t next = 1; next < made.size(); next++) {
        const Made &both = made[next], &later = made[both.later], &earlier = made[both.earlier];
        const long stop = long(std::min(start + BLOCK, grid.time)) * parts;
        for (long i = long(std::max(start, both.size)) * parts; i < stop; i++)
          both.windows[i] = compose(later.windows[i], earlier.windows[i - long(later.size) * parts]);
      }
  }

  // To a block of starts, before the first lag.
  void begin(int at) {
    start = at;
    for (int i = 0; i < BLOCK * parts; i++) {
      block[i].zeroth = bounded ? made[0].windows[long(start + 1) * parts + i].zeroth : Vector{} + 1.0;
      block[i].first = Vector{};
      if constexpr (Window::RESET) block[i].reset = Vector{} + 1.0;
    }
  }

  // To the next lag: calls visit(row, part, window) for the windows that start at s = start + row.
  template <typename Visit>
  void grow(int index, Visit visit) {
    const int lag = grid.lags[index];
    const Window *step = steps[index] < 0 ? nullptr : &made[steps[index]].windows[long(start + lag - bounded) * parts];
    const Window *end = bounded ? &last[long(start + lag) * parts] : nullptr;
    for (int row = 0; row < BLOCK; row++)
      for (int part = 0; part < parts; part++) {
        const int i = row * parts + part;
        Window window = block[i];
        if (step) block[i] = window = compose(step[i], window);
        if (end) window = compose(end[i], window);
        if (end && lag == 1) window.zeroth = end[i].zeroth, window.first = Vector{};  // its last step is its first
        visit(row, part, window);
      }
  }

 private:
  typedef std::unique_ptr<Window[]> Rows;  // (t, part)

  struct Made {
    int size, later, earlier;  // of so many steps, and the two that make them up
    Rows windows;              // by t, their last step
  };

  const Grid grid;
  const bool bounded;
  int start = 0;
  Rows block, last;
  std::vector<Made> made;
  std::vector<int> steps;  // from the lag before to each lag, within `made`; -1 for none

  Rows rows() const {
    Rows rows(new Window[long(grid.time + BLOCK) * parts]);
    std::fill_n(&rows[long(grid.time) * parts], BLOCK * parts, Window{});
    return rows;
  }

  // Windows of one step. No window crosses the first.
  void load(const Diagonals &diagonals, int part) {
    const auto at = [&](const double *of, int t) {
      Vector values;
      for (int lane = 0; lane < WIDTH; lane++)
        values[lane] = of[long(std::min(part * WIDTH + lane, grid.units - 1)) * grid.time + t];
      return values;
    };
    for (int t = 1; t < grid.time; t++) {
      Window &single = made[0].windows[long(t) * parts + part];
      single.zeroth = at(diagonals.retention, t);
      single.first = at(diagonals.mixing, t);
      if constexpr (Window::RESET) single.reset = at(diagonals.reset, t);
      if (!bounded) continue;
      const Vector e = at(diagonals.expression, t), earlier = at(diagonals.expression, t - 1);
      single.first *= earlier;
      Window &end = last[long(t) * parts + part];
      end = single;
      end.zeroth = e * single.zeroth;
      end.first = at(diagonals.output, t) * earlier + e * single.first;
    }
  }

  // Steps between the ends of a window, where these are others.
  int within(int lag) const { return bounded ? std::max(lag - 2, 0) : lag; }

  // Windows of any length, by doubling.
  int make(int size) {
    for (int known = 0; known < int(made.size()); known++)
      if (made[known].size == size) return known;
    const int later = make(size - size / 2), earlier = make(size / 2);
    made.push_back({size, later, earlier, rows()});
    return made.size() - 1;
  }
};

template <typename Window>
static void sum_rates(const Diagonals &diagonals, const Grid &grid, double *sums) {
  constexpr int QUANTITIES = Window::RESET ? 6 : 3;
  Windows<Window> windows(diagonals, grid);
  const long apart = long(windows.parts) * QUANTITIES;
  std::vector<Vector> totals(grid.count * apart);
  for (int start = 0; start < grid.time; start += BLOCK) {
    windows.begin(start);
    for (int index = 0; index < grid.present(start); index++)
      windows.grow(index, [total = &totals[index * apart]](int, int part, const Window &window) {
        Vector *to = total + part * QUANTITIES;
        to[0] += window.zeroth;
        to[1] += window.first;
        to[2] += magnitude(window.zeroth + window.first);
        if constexpr (Window::RESET) {
          to[3] += window.reset;
          to[4] += window.zeroth * window.reset;
          to[5] += magnitude(window.rate());
        }
      });
  }
  for (int quantity = 0; quantity < QUANTITIES; quantity++)
    for (int index = 0; index < grid.count; index++)
      for (int unit = 0; unit < grid.units; unit++)
        sums[(long(quantity) * grid.count + index) * grid.units + unit] +=
            totals[index * apart + unit / WIDTH * QUANTITIES + quantity][unit % WIDTH];
}

// Adds the sums of γ⁰, γ¹ and |γ⁰ + γ¹| over t > lag; with a reset gate also those of ρ⁰, η⁰ and |γ⁰ + γ¹ + ρ⁰ + η⁰|.
//   sums (3 or 6, lags, units).
extern "C" void add_rates(Diagonals diagonals, Grid grid, double *sums) {
  (diagonals.reset ? sum_rates<Gated> : sum_rates<Plain>)(diagonals, grid, sums);
}

// What windows are held against (see `Probes` of engine.py): ρ (time, units); p (time, units) of each
// probe; o (probes, lags, units); e (errors, time); pairs (error, probe).
struct Probes {
  const double *gradient, *const *projected, *signs, *errors;
  const int *aligned;
  int probes, error_signals, pairs, kept;
};

// Numbers from one t to the next in ρ, 0 where it is the same at all t; from one t or unit to the next in p.
struct Strides {
  long gradient, time, unit;
};

// What some probes, PARTS vectors of them, are at a block of starts: the probes side by side, for each unit.
template <int PARTS>
class Starts {
 public:
  // Rows a power of 2 apart would share a place in the cache.
  explicit Starts(int units) : apart(long(units) * PARTS + LINE), rows(BLOCK * apart) {}

  const long apart;  // from one start to the next

  void read(const Probes &given, const Strides &strides, const Grid &grid, const std::vector<int> &probes, int start) {
    const int count = std::min(BLOCK, grid.time - start);
    for (size_t lane = 0; lane < probes.size(); lane++) {
      const double *from = given.projected[probes[lane]] + start * strides.time;
      const auto copy = [&](int row, int unit) {
        numbers(at(row, unit))[lane] = from[row * strides.time + unit * strides.unit];
      };
      if (strides.unit < strides.time)
        for (int row = 0; row < count; row++)
          for (int unit = 0; unit < grid.units; unit++) copy(row, unit);
      else
        for (int unit = 0; unit < grid.units; unit++)
          for (int row = 0; row < count; row++) copy(row, unit);
    }
  }

  Vector *at(int row, int unit) { return &rows[row * apart + unit * PARTS]; }

 private:
  std::vector<Vector> rows;
};

// Calls call(some, PARTS) for the probes in groups of as many as fit in PARTS ≤ MOST vectors.
template <typename Call>
static void in_groups(const std::vector<int> &probes, Call call) {
  for (size_t first = 0; first < probes.size(); first += MOST * WIDTH) {
    const size_t size = std::min(probes.size() - first, size_t(MOST * WIDTH));
    const std::vector<int> some(probes.begin() + first, probes.begin() + first + size);
    if (parts(size) == 1) call(some, std::integral_constant<int, 1>());
    if (parts(size) == 2) call(some, std::integral_constant<int, 2>());
    if (parts(size) == 3) call(some, std::integral_constant<int, 3>());
  }
}

// to += products, for the first `count` rows.
template <int PARTS>
static inline void add(const Vector (&products)[ROWS][PARTS], int count, Vector *to) {
  for (int row = 0; row < std::min(ROWS, count); row++)
    for (int part = 0; part < PARTS; part++) to[row * PARTS + part] += products[row][part];
}

// Adds Σ e_t ρ_t p_{t-ℓ} over t > ℓ, (pairs, lags, units).
extern "C" void add_alignment(Probes given, Strides strides, Grid grid, double *alignment) {
  const long apart = grid.time + BLOCK;
  for (int error = 0; error < given.error_signals; error++) {
    std::vector<int> pairs;
    for (int pair = 0; pair < given.pairs; pair++)
      if (given.aligned[2 * pair] == error) pairs.push_back(pair);
    if (pairs.empty()) continue;
    std::vector<double> delta(grid.units * apart);  // e ρ, (unit, t)
    for (int t = 0; t < grid.time; t++)
      for (int unit = 0; unit < grid.units; unit++)
        delta[unit * apart + t] =
            given.errors[long(error) * grid.time + t] * given.gradient[t * strides.gradient + unit];

    in_groups(pairs, [&](const std::vector<int> &some, auto size) {
      constexpr int PARTS = decltype(size)::value;
      std::vector<int> probes;
      for (int pair : some) probes.push_back(given.aligned[2 * pair + 1]);
      Starts<PARTS> p(grid.units);
      std::vector<Vector> sums(long(grid.units) * grid.count * PARTS);
      for (int start = 0; start < grid.time; start += BLOCK) {
        const int present = grid.present(start);
        p.read(given, strides, grid, probes, start);
        for (int unit = 0; unit < grid.units; unit++)
          for (int index = 0; index < present; index += ROWS) {
            const double *rows[ROWS];
            Vector products[ROWS][PARTS];
            for (int row = 0; row < ROWS; row++)
              rows[row] = &delta[unit * apart + start + grid.lags[std::min(index + row, present - 1)]];
            multiply<PARTS>(rows, p.at(0, unit), p.apart, std::min(BLOCK, grid.time - start), products);
            add(products, present - index, &sums[(long(unit) * grid.count + index) * PARTS]);
          }
      }
      for (size_t lane = 0; lane < some.size(); lane++)
        for (int index = 0; index < grid.count; index++)
          for (int unit = 0; unit < grid.units; unit++)
            alignment[(long(some[lane]) * grid.count + index) * grid.units + unit] +=
                numbers(&sums[(long(unit) * grid.count + index) * PARTS])[lane];
    });
  }
}

template <typename Window>
static void carry(const Diagonals &diagonals, const double *gradient, const Grid &grid, double *values) {
  Windows<Window> windows(diagonals, grid);
  for (int start = 0; start < grid.time; start += BLOCK) {
    windows.begin(start);
    for (int index = 0; index < grid.present(start); index++)
      windows.grow(index, [&](int row, int part, const Window &window) {
        const int s = start + row, end = s + grid.lags[index];
        const Vector rate = window.rate();
        for (int lane = 0; end < grid.time && lane < std::min(WIDTH, grid.units - part * WIDTH); lane++) {
          const int unit = part * WIDTH + lane;
          values[(long(index) * grid.time + s) * grid.units + unit] = rate[lane] * gradient[long(end) * grid.units + unit];
        }
      });
  }
}

// μ_{t,ℓ} ρ_t of the windows that start at s, to values (lags, time, units); where they would end beyond T, nothing.
extern "C" void carry_first_order(Diagonals diagonals, const double *gradient, Grid grid, double *values) {
  (diagonals.reset ? carry<Gated> : carry<Plain>)(diagonals, gradient, grid, values);
}

// See `Derivatives` of engine.py: values (kept, lags, time), a row of time `apart` numbers from the next; sums (errors,
// probes, lags); to alignment (pairs, lags, units) and magnitude (lags, units) is added.
struct Derivatives {
  double *values, *sums, *alignment, *magnitude;
  long apart;
};

// D of some probes at the windows of one sequence: D_{t,ℓ} = Σ c o p_{t-ℓ} over units, with c = μ ρ.
template <bool SIGNED, typename Window>
class FirstOrder {
 public:
  FirstOrder(const Diagonals &diagonals, const Probes &given, const Strides &strides, const Grid &grid,
             const Derivatives &to)
      : windows(diagonals, grid), given(given), strides(strides), grid(grid), to(to), parts(windows.parts),
        rho_apart(strides.gradient ? parts : 0), rho(strides.gradient ? long(grid.time + BLOCK) * parts : parts),
        carried(ROWS * BLOCK * parts), magnitudes(long(grid.count) * parts) {
    for (int t = 0; t < (strides.gradient ? grid.time : 1); t++)
      std::copy_n(given.gradient + t * strides.gradient, grid.units, numbers(&rho[t * rho_apart]));
  }

  template <int PARTS>
  void add(const std::vector<int> &probes) {
    std::vector<Vector> signs, sums(long(grid.count) * given.error_signals * PARTS);
    if (SIGNED) signs = read_signs<PARTS>(probes);
    std::fill(magnitudes.begin(), magnitudes.end(), Vector{});
    Starts<PARTS> p(grid.units);
    for (int start = 0; start < grid.time; start += BLOCK) {
      const int present = grid.present(start);
      p.read(given, strides, grid, probes, start);
      windows.begin(start);
      for (int first = 0; first < present; first += ROWS) {
        const int lags = std::min(ROWS, present - first);
        for (int row = 0; row < lags; row++) carry(start, first + row, &carried[long(row) * BLOCK * parts]);
        Vector derivatives[ROWS][BLOCK][PARTS];
        for (int s = 0; s < std::min(BLOCK, grid.time - start); s++) {
          const double *rows[ROWS];
          const Vector *own[ROWS];
          Vector products[ROWS][PARTS];
          for (int row = 0; row < ROWS; row++) {
            const int lag = std::min(row, lags - 1);
            rows[row] = numbers(&carried[(long(lag) * BLOCK + s) * parts]);
            own[row] = SIGNED ? &signs[long(first + lag) * grid.units * PARTS] : nullptr;
          }
          multiply<PARTS, SIGNED>(rows, p.at(s, 0), PARTS, grid.units, products, own);
          for (int row = 0; row < ROWS; row++) std::copy_n(products[row], PARTS, derivatives[row][s]);
        }
        for (int row = 0; row < lags; row++)
          sum<PARTS>(derivatives[row], start, first + row, probes,
                     &sums[long(first + row) * given.error_signals * PARTS]);
      }
    }
    for (int error = 0; error < given.error_signals; error++)
      for (size_t lane = 0; lane < probes.size(); lane++)
        for (int index = 0; index < grid.count; index++)
          to.sums[(long(error) * given.probes + probes[lane]) * grid.count + index] +=
              numbers(&sums[(long(index) * given.error_signals + error) * PARTS])[lane];
  }

  void add_magnitudes() const {
    for (int index = 0; index < grid.count; index++)
      for (int unit = 0; unit < grid.units; unit++)
        to.magnitude[long(index) * grid.units + unit] += numbers(&magnitudes[long(index) * parts])[unit];
  }

 private:
  Windows<Window> windows;
  const Probes &given;
  const Strides &strides;
  const Grid &grid;
  const Derivatives &to;
  const int parts;
  const long rho_apart;
  std::vector<Vector> rho, carried, magnitudes;

  template <int PARTS>
  std::vector<Vector> read_signs(const std::vector<int> &probes) const {
    const long count = long(grid.count) * grid.units;
    std::vector<Vector> signs(count * PARTS);
    for (size_t lane = 0; lane < probes.size(); lane++)
      for (long i = 0; i < count; i++) numbers(&signs[i * PARTS])[lane] = given.signs[probes[lane] * count + i];
    return signs;
  }

  // c of a block of starts.
  void carry(int start, int index, Vector *c) {
    const Vector *own = &rho[(start + grid.lags[index]) * rho_apart];
    Vector *sizes = &magnitudes[long(index) * parts];
    windows.grow(index, [&](int row, int part, const Window &window) {
      const Vector rate = window.rate();
      sizes[part] += magnitude(rate);
      c[row * parts + part] = rate * own[row * rho_apart + part];
    });
  }

  // What becomes of D of a block of starts at one lag.
  template <int PARTS>
  void sum(const Vector (&derivatives)[BLOCK][PARTS], int start, int index, const std::vector<int> &probes,
           Vector *sums) {
    const int end = start + grid.lags[index], ends = std::min(BLOCK, grid.time - end);
    for (size_t lane = 0; lane < probes.size() && probes[lane] < given.kept; lane++)
      for (int row = 0; row < ends; row++)
        to.values[(long(probes[lane]) * grid.count + index) * to.apart + end + row] = numbers(derivatives[row])[lane];
    for (int error = 0; error < given.error_signals; error += ROWS) {
      const double *rows[ROWS];
      Vector products[ROWS][PARTS];
      for (int row = 0; row < ROWS; row++)
        rows[row] = given.errors + long(std::min(error + row, given.error_signals - 1)) * grid.time + end;
      multiply<PARTS>(rows, derivatives[0], PARTS, ends, products);
      ::add(products, given.error_signals - error, sums + error * PARTS);
    }
  }
};

template <bool SIGNED, typename Window>
static void sum_first_order(const Diagonals &diagonals, const Probes &given, const Strides &strides, const Grid &grid,
                            const Derivatives &to) {
  FirstOrder<SIGNED, Window> first_order(diagonals, given, strides, grid, to);
  std::vector<int> all(given.probes);
  std::iota(all.begin(), all.end(), 0);
  in_groups(all, [&](const std::vector<int> &some, auto size) {
    first_order.template add<decltype(size)::value>(some);
  });
  first_order.add_magnitudes();
}

// D of all lags for one sequence.
extern "C" void add_first_order(Diagonals diagonals, Probes given, Strides strides, Grid grid, Derivatives to) {
  const double *end = given.signs + long(given.probes) * grid.count * grid.units;
  const bool is_signed = std::any_of(given.signs, end, [](double sign) { return sign != 1; });
  const auto sum = diagonals.reset ? is_signed ? sum_first_order<true, Gated> : sum_first_order<false, Gated>
                                   : is_signed ? sum_first_order<true, Plain> : sum_first_order<false, Plain>;
  sum(diagonals, given, strides, grid, to);
  add_alignment(given, strides, grid, to.alignment);
}
