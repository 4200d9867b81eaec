// First-order windows as products of dual numbers (see windows.py), and what is summed over them: float64, one
// sequence, one thread.
//
// A window starts at s, its t - ℓ, and grows from lag to lag by the steps that follow: windows too, made once for all
// ends t. BLOCK starts go side by side, so that their windows, and the probes at them, stay in cache over all lags.
// Beyond the last step all is 0: windows that would end there add nothing.

#include <algorithm>
#include <cstdint>
#include <memory>
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
#ifndef BL
#define BL 16
#endif
constexpr int BLOCK = BL;
#ifndef RW
#define RW 4
#endif
constexpr int ROWS = RW, MOST = 3;  // ROWS x MOST sums stay in registers

static int parts(int numbers) { return (numbers + WIDTH - 1) / WIDTH; }  // vectors that hold them

static const double *numbers(const Vector *row) { return reinterpret_cast<const double *>(row); }
static double *numbers(Vector *row) { return reinterpret_cast<double *>(row); }

static Vector magnitude(Vector x) { return (Vector)((Bits)x & INT64_MAX); }

// sums = rows · matrix for ROWS rows of `count` numbers; signs, if any: those of the matrix to each row.
template <int PARTS, bool SIGNED = false>
static inline void multiply(const double *const *rows, const Vector *__restrict matrix, long apart, int count,
                            Vector (&sums)[ROWS][PARTS], const Vector *const *signs = nullptr) {
  Vector own[ROWS][PARTS] = {};
  for (int i = 0; i < count; i++)
#pragma GCC unroll 8
    for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 3
      for (int part = 0; part < PARTS; part++) {
        const Vector factor = matrix[i * apart + part];
        own[row][part] += rows[row][i] * (SIGNED ? signs[row][i * PARTS + part] * factor : factor);
      }
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 3
    for (int part = 0; part < PARTS; part++) sums[row][part] = own[row][part];
}

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
  const int parts;

  Windows(const Diagonals &diagonals, int time, int units, const int *lags, int count)
      : parts(::parts(units)), time(time), lags(lags), count(count), bounded(diagonals.expression) {
    made.push_back({1, 0, 0, rows()});
    if (bounded) last = rows();
    for (int part = 0; part < parts; part++) load(diagonals, units, part);
    for (int index = 0, reached = 0; index < count; reached = within(index++)) {
      const int step = within(index) - reached;
      steps.push_back(step ? make(step) : -1);
    }
    // A few t at a time, so that what one is made from is still in cache.
    for (int start = 1; start < time; start += BLOCK)
      for (const Made &one : made)
        for (int t = std::max(start, one.size); one.size > 1 && t < std::min(start + BLOCK, time); t++) {
          const Made &later = made[one.later], &earlier = made[one.earlier];
          for (int part = 0; part < parts; part++)
            one.windows[long(t) * parts + part] = compose(later.windows[long(t) * parts + part],
                                                          earlier.windows[long(t - later.size) * parts + part]);
        }
    block.reset(new Window[BLOCK * parts]);
  }

  // Lags at which a window that starts there ends.
  int present(int start) const { return std::lower_bound(lags, lags + count, time - start) - lags; }

  // Before the first lag.
  void begin(int start) {
    this->start = start;
    for (int i = 0; i < BLOCK * parts; i++) {
      block[i].zeroth = bounded ? made[0].windows[long(start + 1) * parts + i].zeroth : Vector{} + 1.0;
      block[i].first = Vector{};
      if constexpr (Window::RESET) block[i].reset = Vector{} + 1.0;
    }
  }

  // To the next lag; calls visit(part, row, window, sums) for those that start at s = start + row. Of `sums` there are
  // QUANTITIES for each part.
  template <int QUANTITIES, typename Visit>
  void grow(int index, Vector *sums, Visit visit) {
    const int lag = lags[index];
    const Window *step = steps[index] < 0 ? nullptr : &made[steps[index]].windows[long(start + lag - bounded) * parts];
    const Window *end = bounded ? &last[long(start + lag) * parts] : nullptr;
    for (int row = 0; row < BLOCK; row++)
      for (int part = 0; part < parts; part++) {
        const int i = row * parts + part;
        Window window = block[i];
        if (step) block[i] = window = compose(step[i], window);
        if (end) window = compose(end[i], window);
        if (end && lag == 1) window.zeroth = end[i].zeroth, window.first = Vector{};
        visit(part, row, window, sums + part * QUANTITIES);
      }
  }

 private:
  typedef std::unique_ptr<Window[]> Rows;  // (t, part)

  struct Made {
    int size, later, earlier;  // of so many steps, and what it is made from
    Rows windows;              // by t, their last step
  };

  int time;
  const int *lags;
  int count;
  bool bounded;
  Rows last, block;
  std::vector<Made> made;
  std::vector<int> steps;
  int start = 0;

  Rows rows() const {
    Rows rows(new Window[long(time + BLOCK) * parts]);
    std::fill_n(&rows[long(time) * parts], BLOCK * parts, Window{});
    return rows;
  }

  void load(const Diagonals &diagonals, int units, int part) {
    const auto at = [&](const double *of, int t) {
      Vector values;
      for (int lane = 0; lane < WIDTH; lane++)
        values[lane] = of[long(std::min(part * WIDTH + lane, units - 1)) * time + t];
      return values;
    };
    for (int t = 1; t < time; t++) {
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
  int within(int index) const { return bounded ? std::max(lags[index] - 2, 0) : lags[index]; }

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
static void sum_rates(const Diagonals &diagonals, int time, int units, const int *lags, int count, double *sums) {
  constexpr int QUANTITIES = Window::RESET ? 6 : 3;
  Windows<Window> windows(diagonals, time, units, lags, count);
  const long apart = long(windows.parts) * QUANTITIES;
  std::vector<Vector> totals(count * apart);
  for (int start = 0; start < time; start += BLOCK) {
    windows.begin(start);
    for (int index = 0; index < windows.present(start); index++)
      windows.template grow<QUANTITIES>(
          index, &totals[index * apart], [](int, int, const Window &window, Vector *sums) {
            sums[0] += window.zeroth;
            sums[1] += window.first;
            sums[2] += magnitude(window.zeroth + window.first);
            if constexpr (Window::RESET) {
              sums[3] += window.reset;
              sums[4] += window.zeroth * window.reset;
              sums[5] += magnitude(window.rate());
            }
          });
  }
  for (int quantity = 0; quantity < QUANTITIES; quantity++)
    for (int index = 0; index < count; index++)
      for (int unit = 0; unit < units; unit++)
        sums[(long(quantity) * count + index) * units + unit] +=
            totals[index * apart + unit / WIDTH * QUANTITIES + quantity][unit % WIDTH];
}

// Adds the sums of γ⁰, γ¹ and |γ⁰ + γ¹| over t > lag; with a reset gate also those of ρ⁰, η⁰ and |γ⁰ + γ¹ + ρ⁰ + η⁰|.
//   lags (count), increasing; sums (3 or 6, count, units).
extern "C" void add_rates(Diagonals diagonals, int time, int units, const int *lags, int count, double *sums) {
  (diagonals.reset ? sum_rates<Gated> : sum_rates<Plain>)(diagonals, time, units, lags, count, sums);
}

// What windows are held against (see `Probes` of engine.py): ρ (time, units); p (probes, time, units), `apart` numbers
// from one probe to the next; o (probes, lags, units); e (errors, time); pairs (error, probe).
struct Probes {
  const double *gradient, *projected, *signs, *errors;
  const int *aligned;
  int probes, error_signals, pairs, kept;
  long apart;
};

// Numbers from one t to the next in ρ, 0 if it is the same at all t, and from one t or unit to the next in p.
struct Strides {
  long gradient, time, unit;
};

// Probes that are held against windows together.
template <int SIZE>
struct Group {
  static constexpr int PARTS = SIZE;
  std::vector<int> probes;

  // Their p at `count` t from `start`, side by side; a unit or t apart are so many vectors. What pads them stays 0.
  void read(const Probes &given, const Strides &strides, int start, int count, int units, long apart, long unit_apart,
            Vector *to) const {
    const auto copy = [&](int probe, int t, int unit) {
      numbers(to + t * apart + unit * unit_apart)[probe] =
          given.projected[probes[probe] * given.apart + (start + t) * strides.time + unit * strides.unit];
    };
    const int present = probes.size();
    if (strides.unit < strides.time)
      for (int probe = 0; probe < present; probe++)
        for (int t = 0; t < count; t++)
          for (int unit = 0; unit < units; unit++) copy(probe, t, unit);
    else
      for (int probe = 0; probe < present; probe++)
        for (int unit = 0; unit < units; unit++)
          for (int t = 0; t < count; t++) copy(probe, t, unit);
  }
};

// Calls call(group) for all of them, in groups.
template <typename Call>
static void in_groups(const std::vector<int> &probes, Call call) {
  size_t first = 0;
  do {
    const size_t stop = std::min(probes.size(), first + MOST * WIDTH);
    const std::vector<int> some(&probes[first], &probes[stop]);
    const int size = parts(some.size());
    size > 2 ? call(Group<3>{some}) : size > 1 ? call(Group<2>{some}) : call(Group<1>{some});
    first = stop;
  } while (first < probes.size());
}

// Adds Σ e_t ρ_t p_{t-ℓ} over t > ℓ, (pairs, count, units).
extern "C" void add_alignment(Probes given, Strides strides, int time, int units, const int *lags, int count,
                              double *alignment) {
  const long apart = time + BLOCK;
  for (int error = 0; error < given.error_signals; error++) {
    std::vector<int> pairs, probes;
    for (int pair = 0; pair < given.pairs; pair++)
      if (given.aligned[2 * pair] == error) pairs.push_back(pair), probes.push_back(given.aligned[2 * pair + 1]);
    if (pairs.empty()) continue;
    std::vector<double> delta(units * apart);
    for (int t = 0; t < time; t++)
      for (int unit = 0; unit < units; unit++)
        delta[unit * apart + t] = given.errors[long(error) * time + t] * given.gradient[t * strides.gradient + unit];
    int first = 0;
    in_groups(probes, [&](auto group) {
      constexpr int PARTS = decltype(group)::PARTS;
      const long p_apart = units * PARTS + 64 / BYTES;
      std::vector<Vector> p(BLOCK * p_apart), sums(long(units) * count * PARTS);
      for (int start = 0; start < time; start += BLOCK) {
        const int starts = std::min(BLOCK, time - start);
        group.read(given, strides, start, starts, units, p_apart, PARTS, p.data());
        const int present = std::lower_bound(lags, lags + count, time - start) - lags;
        for (int unit = 0; unit < units; unit++)
          for (int index = 0; index < present; index += ROWS) {
            const double *rows[ROWS];
            Vector products[ROWS][PARTS];
            for (int row = 0; row < ROWS; row++)
              rows[row] = &delta[unit * apart + start + lags[std::min(index + row, present - 1)]];
            multiply<PARTS>(rows, &p[unit * PARTS], p_apart, starts, products);
            Vector *to = &sums[(long(unit) * count + index) * PARTS];
            for (int i = 0; i < std::min(ROWS, present - index) * PARTS; i++) to[i] += products[i / PARTS][i % PARTS];
          }
      }
      for (int probe = 0; probe < int(group.probes.size()); probe++)
        for (int index = 0; index < count; index++)
          for (int unit = 0; unit < units; unit++)
            alignment[(long(pairs[first + probe]) * count + index) * units + unit] +=
                numbers(&sums[(long(unit) * count + index) * PARTS])[probe];
      first += group.probes.size();
    });
  }
}

// See `Derivatives` of engine.py: values (kept, lags, time), a row of time `apart` numbers from the next; sums (errors,
// probes, lags); to alignment (pairs, lags, units) and magnitude (lags, units) is added.
struct Derivatives {
  double *values, *sums, *alignment, *magnitude;
  long apart;
};

template <bool SIGNED, typename Window>
static void sum_first_order(const Probes &given, const Strides &strides, Windows<Window> &windows, int time, int units,
                            const int *lags, int count, const Derivatives &to) {
  const int parts = windows.parts, width = parts * WIDTH;
  std::vector<Vector> rho(long(strides.gradient ? time + BLOCK : 1) * parts);
  for (int t = 0; t < (strides.gradient ? time : 1); t++)
    std::copy_n(given.gradient + t * strides.gradient, units, numbers(&rho[long(t) * parts]));
  const long rho_apart = strides.gradient ? parts : 0;
  std::vector<Vector> magnitudes(long(count) * parts), carried(ROWS * BLOCK * parts);
  std::vector<int> all(given.probes);
  for (int probe = 0; probe < given.probes; probe++) all[probe] = probe;
  bool first_group = true;
  in_groups(all, [&](auto group) {
    constexpr int PARTS = decltype(group)::PARTS;
    const long apart = long(units) * PARTS, p_apart = apart + 64 / BYTES;
    std::vector<Vector> p(BLOCK * p_apart), sums(long(count) * given.error_signals * PARTS), signs;
    if (SIGNED) {
      signs.resize(count * apart);
      for (int probe = 0; probe < int(group.probes.size()); probe++)
        for (long i = 0; i < long(count) * units; i++)
          numbers(&signs[i * PARTS])[probe] = given.signs[long(group.probes[probe]) * count * units + i];
    }
    for (int start = 0; start < time; start += BLOCK) {
      const int starts = std::min(BLOCK, time - start), present = windows.present(start);
      group.read(given, strides, start, starts, units, p_apart, PARTS, p.data());
      windows.begin(start);
      for (int base = 0; base < present; base += ROWS) {
        const int some = std::min(ROWS, present - base);
        for (int row = 0; row < some; row++) {
          Vector *c = &carried[long(row) * BLOCK * parts];
          const Vector *r = &rho[(start + lags[base + row]) * rho_apart];
          windows.template grow<1>(
              base + row, &magnitudes[long(base + row) * parts],
              [&](int part, int s, const Window &window, Vector *sums) {
                const Vector rate = window.rate();
                sums[0] += magnitude(rate);
                c[s * parts + part] = rate * r[s * rho_apart + part];
              });
        }
        Vector derivatives[ROWS][BLOCK][PARTS];
        for (int s = 0; s < starts; s++) {
          const double *rows[ROWS];
          const Vector *own[ROWS];
          Vector products[ROWS][PARTS];
          for (int row = 0; row < ROWS; row++) {
            rows[row] = numbers(&carried[(long(std::min(row, some - 1)) * BLOCK + s) * parts]);
            if (SIGNED) own[row] = &signs[(base + std::min(row, some - 1)) * apart];
          }
          multiply<PARTS, SIGNED>(rows, &p[s * p_apart], PARTS, units, products, own);
          for (int row = 0; row < ROWS; row++) std::copy_n(products[row], PARTS, derivatives[row][s]);
        }
        for (int row = 0; row < some; row++) {
          const int index = base + row, end = start + lags[index], ends = std::min(starts, time - end);
          for (int probe = 0; probe < int(group.probes.size()) && group.probes[probe] < given.kept; probe++)
            for (int s = 0; s < ends; s++)
              to.values[(long(group.probes[probe]) * count + index) * to.apart + end + s] =
                  numbers(derivatives[row][s])[probe];
          for (int error = 0; error < given.error_signals; error += ROWS) {
            const double *rows[ROWS];
            Vector products[ROWS][PARTS];
            for (int i = 0; i < ROWS; i++)
              rows[i] = given.errors + long(std::min(error + i, given.error_signals - 1)) * time + end;
            multiply<PARTS>(rows, derivatives[row][0], PARTS, ends, products);
            Vector *sum = &sums[(long(index) * given.error_signals + error) * PARTS];
            for (int i = 0; i < std::min(ROWS, given.error_signals - error) * PARTS; i++)
              sum[i] += products[i / PARTS][i % PARTS];
          }
        }
      }
    }
    for (int error = 0; error < given.error_signals; error++)
      for (int probe = 0; probe < int(group.probes.size()); probe++)
        for (int index = 0; index < count; index++)
          to.sums[(long(error) * given.probes + group.probes[probe]) * count + index] +=
              numbers(&sums[(long(index) * given.error_signals + error) * PARTS])[probe];
    if (first_group)
      for (int index = 0; index < count; index++)
        for (int unit = 0; unit < units; unit++)
          to.magnitude[long(index) * units + unit] += numbers(&magnitudes[long(index) * parts])[unit];
    first_group = false;
  });
  (void)width;
}

template <typename Window>
static void sum_first_order(const Diagonals &diagonals, const Probes &given, const Strides &strides, int time, int units,
                            const int *lags, int count, const Derivatives &to) {
  Windows<Window> windows(diagonals, time, units, lags, count);
  const long signs = long(given.probes) * count * units;
  const bool all_one = std::all_of(given.signs, given.signs + signs, [](double sign) { return sign == 1; });
  (all_one ? sum_first_order<false, Window> : sum_first_order<true, Window>)(given, strides, windows, time, units, lags,
                                                                            count, to);
}

// D of all lags for one sequence.
extern "C" void add_first_order(Diagonals diagonals, Probes given, Strides strides, int time, int units,
                                const int *lags, int count, Derivatives to) {
  (diagonals.reset ? sum_first_order<Gated> : sum_first_order<Plain>)(diagonals, given, strides, time, units, lags,
                                                                     count, to);
  add_alignment(given, strides, time, units, lags, count, to.alignment);
}
