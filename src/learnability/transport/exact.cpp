// Exact transport of row vectors v_{t,ℓ} = ρ_tᵀ J_t … J_{t-ℓ+1} (see exact.py), and what is summed over them: one
// sequence, one thread, in numbers -DREAL, float or double.
//
// Back over each step s, all vectors on their way, those of t = s, s+1, …, cross J_s together. To all of them J_s is
// one dense matrix: they cost one matrix product, however many paths the cell has.
//
// Compiled for one network: -DCELL (Leaky, LSTM or GRU, below), -DHIDDEN, -DGATES, -DLAYER_NORM. Steps come from
// linearization.py.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#if defined(__AVX512F__)
constexpr int BYTES = 64, SUMS = 24;  // of 32 registers
#elif defined(__AVX__)
constexpr int BYTES = 32, SUMS = 12;  // of 16
#else
constexpr int BYTES = 16, SUMS = 12;
#endif

typedef REAL Real;
typedef Real Vector __attribute__((vector_size(BYTES)));
typedef Real Half __attribute__((vector_size(BYTES / 2)));

constexpr int padded(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

constexpr int WIDTH = BYTES / sizeof(Real);
constexpr int GROUP = SUMS == 24 && HIDDEN % (4 * WIDTH) == 0 ? 4 : 2, ROWS = SUMS / GROUP;  // their sums stay there
constexpr int PARTS = padded(HIDDEN, WIDTH * GROUP) / WIDTH;  // vectors that hold one number of every unit
constexpr int UNITS = PARTS * WIDTH;                           // numbers in them; those beyond HIDDEN are 0
constexpr int WEIGHTS = padded(HIDDEN, ROWS) * PARTS;          // vectors that hold a path's U

static const Real *numbers(const Vector *row) { return reinterpret_cast<const Real *>(row); }
static Real *numbers(Vector *row) { return reinterpret_cast<Real *>(row); }

// out = rows · matrix, for ROWS rows of IN numbers; rows of `matrix` are PARTS long, those of `out` are OUT apart.
template <int IN, int OUT>
static inline void multiply(const Vector *rows, const Vector *__restrict matrix, Vector *out) {
  for (int part = 0; part < PARTS; part += GROUP) {
    Vector sums[ROWS][GROUP] = {};
    for (int column = 0; column < IN; column++)
#pragma GCC unroll 12
      for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 4
        for (int v = 0; v < GROUP; v++)
          sums[row][v] += numbers(rows)[row * IN + column] * matrix[column * PARTS + part + v];
#pragma GCC unroll 12
    for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 4
      for (int v = 0; v < GROUP; v++) out[row * OUT + part + v] = sums[row][v];
  }
}

// matrix += D(diagonal).
static void add_diagonal(const Vector *diagonal, Vector *matrix) {
  for (int unit = 0; unit < HIDDEN; unit++) numbers(matrix)[unit * UNITS + unit] += numbers(diagonal)[unit];
}

// matrix += D(factor) U.
static void add_path(const Vector *factor, const Vector *U, Vector *matrix) {
  for (int i = 0; i < HIDDEN * PARTS; i++) matrix[i] += numbers(factor)[i / PARTS] * U[i];
}

// matrix += D(factor) (I - n nᵀ/H) U, a path behind layer norm; the columns of U have mean 0.
static void add_normalised_path(const Vector *factor, const Vector *n, const Vector *U, Vector *matrix) {
  Vector along[PARTS] = {};  // nᵀ U/H
  for (int i = 0; i < HIDDEN * PARTS; i++) along[i % PARTS] += numbers(n)[i / PARTS] * U[i];
  for (int part = 0; part < PARTS; part++) along[part] /= Real(HIDDEN);
  for (int i = 0; i < HIDDEN * PARTS; i++)
    matrix[i] += numbers(factor)[i / PARTS] * (U[i] - numbers(n)[i / PARTS] * along[i % PARTS]);
}

// A cell: its state in HELD parts of HIDDEN numbers, VECTORS of a step and one more for each of PATHS; J_s as what
// happens to v before and after vᵀ · matrix takes the place of v's first part. Rows of `matrix`: those of each part,
// UNITS long.

// J = D(1 - s) + paths. Vectors: 1 - s, and with layer norm n; paths: g, s.
struct Leaky {
  static constexpr int HELD = 1, VECTORS = LAYER_NORM ? 2 : 1, PATHS = GATES ? 2 : 1;

  static void set(const Vector *vectors, const Vector *U, Vector *matrix) {
    const Vector *g = vectors + VECTORS * PARTS, *s = g + PARTS;
    add_diagonal(vectors, matrix);
    if (LAYER_NORM)
      add_normalised_path(g, vectors + PARTS, U, matrix);
    else
      add_path(g, U, matrix);
    if (GATES) add_path(s, U + WEIGHTS, matrix);
  }

  static void before(const Vector *, Vector *) {}
  static void after(const Vector *, Vector *) {}
};

// With e the expression, C the paths into c and O that into o: u = v_c + e v_h; v_h becomes v_hᵀ O + uᵀ C, v_c becomes
// f u. Vectors: f, e; paths: those of C, O.
struct LSTM {
  static constexpr int HELD = 2, VECTORS = 2, PATHS = 4;

  static void set(const Vector *vectors, const Vector *U, Vector *matrix) {
    for (int path = 0; path < PATHS; path++)
      add_path(vectors + (VECTORS + path) * PARTS, U + path * WEIGHTS, matrix + (path < 3) * UNITS * PARTS);
  }

  static void before(const Vector *vectors, Vector *v) {
    for (int part = 0; part < PARTS; part++) v[PARTS + part] += vectors[PARTS + part] * v[part];
  }

  static void after(const Vector *vectors, Vector *v) {
    for (int part = 0; part < PARTS; part++) v[PARTS + part] *= vectors[part];
  }
};

// J = D(1 - z) + path of z + path of g · (D(r) + path of r). Vectors: 1 - z, r; paths: z, r, g.
struct GRU {
  static constexpr int HELD = 1, VECTORS = 2, PATHS = 3;

  static void set(const Vector *vectors, const Vector *U, Vector *matrix) {
    const Vector *z = vectors + VECTORS * PARTS, *r = z + PARTS, *g = r + PARTS;
    Vector filtered[UNITS * PARTS] = {}, product[WEIGHTS];
    add_diagonal(vectors + PARTS, filtered);
    add_path(r, U + WEIGHTS, filtered);
    for (int row = 0; row < HIDDEN; row += ROWS)
      multiply<UNITS, PARTS>(U + 2 * WEIGHTS + row * PARTS, filtered, product + row * PARTS);
    add_diagonal(vectors, matrix);
    add_path(z, U, matrix);
    add_path(g, product, matrix);
  }

  static void before(const Vector *, Vector *) {}
  static void after(const Vector *, Vector *) {}
};

constexpr int HELD = CELL::HELD, STATE = HELD * HIDDEN, VECTORS = CELL::VECTORS + CELL::PATHS;
constexpr int ROW = HELD * PARTS;      // vectors that hold a row over the state
constexpr int NUMBERS = HELD * UNITS;  // numbers in them

// Rows of HIDDEN numbers, padded.
template <typename Number>
static void read(const Number *from, long rows, Vector *to) {
  for (long row = 0; row < rows; row++) std::copy_n(from + row * HIDDEN, HIDDEN, numbers(to + row * PARTS));
}

static std::vector<Vector> read(const Real *from, long rows) {
  std::vector<Vector> to(rows * PARTS);
  read(from, rows, to.data());
  return to;
}

// Norm of a row over the state; in double where squares leave the range of `Real`.
static inline double norm(const Vector *row) {
  Vector squares{};
  for (int i = 0; i < ROW; i++) squares += row[i] * row[i];
  Half halves[2];
  std::memcpy(halves, &squares, BYTES);
  halves[0] += halves[1];
  Real total = 0;
  for (int lane = 0; lane < WIDTH / 2; lane++) total += halves[0][lane];
  if (total > 1e-30 && total < 1e30) return std::sqrt(double(total));
  double exact = 0;
  for (int i = 0; i < NUMBERS; i++) exact += double(numbers(row)[i]) * numbers(row)[i];
  return std::sqrt(exact);
}

// Brings what is held of a vector near 1: the vector is `scale`, a power of 2, times it.
static void rescale(Vector *v, double &scale) {
  const double size = norm(v);
  if (!(size > 0 && (size < 1e-6 || size > 1e6))) return;
  const int exponent = std::ilogb(size);
  const Real factor = std::ldexp(1.0, -exponent);
  for (int i = 0; i < ROW; i++) v[i] *= factor;
  scale = std::ldexp(scale, exponent);
}

constexpr int RESCALED = 8;   // lags at which vectors are brought near 1: every so many

// The vectors of one sequence on their way back, from ρ (time, STATE), over its steps (time, VECTORS, HIDDEN) with
// weights U (PATHS, HIDDEN, HIDDEN). t and s count from 0.
class Carried {
 public:
  const int time;
  std::vector<double> sizes;   // ‖ρ_t‖
  std::vector<double> scales;  // v_t is scales[t] times what is held of it

  Carried(int time, const Real *steps, const Real *weights, const Real *gradient, int longest)
      : time(time), sizes(time), scales(time, 1.0), steps(steps), longest(longest), U(CELL::PATHS * WEIGHTS),
        v(read(gradient, long(time) * HELD)), vectors(VECTORS * PARTS), matrix(NUMBERS * PARTS), crossed(ROWS * PARTS) {
    for (int path = 0; path < CELL::PATHS; path++) read(weights + path * HIDDEN * HIDDEN, HIDDEN, &U[path * WEIGHTS]);
    for (int t = 0; t < time; t++) sizes[t] = norm(at(t));
    v.resize(long(time + ROWS) * ROW);
  }

  const Vector *at(int t) const { return &v[long(t) * ROW]; }

  // Over step s, from its end to its start: all vectors that have not crossed `longest` steps yet.
  void cross(int s) {
    read(steps + long(s) * VECTORS * HIDDEN, VECTORS, vectors.data());
    std::fill(matrix.begin(), matrix.end(), Vector{});
    CELL::set(vectors.data(), U.data(), matrix.data());
    const int stop = std::min(time, s + longest);
    for (int t = s; t < stop; t += ROWS) multiply_rows(&v[long(t) * ROW]);
    for (int t = s + RESCALED - 1; t < stop; t += RESCALED) rescale(&v[long(t) * ROW], scales[t]);
  }

  // ROWS vectors times the Jacobian of the step that was crossed last.
  void multiply_rows(Vector *rows) {
    for (int row = 0; row < ROWS; row++) CELL::before(vectors.data(), rows + row * ROW);
    if (PARTS == GROUP) {  // what is in registers is a row's whole product, and can take its place
      multiply<NUMBERS, ROW>(rows, matrix.data(), rows);
    } else {
      multiply<NUMBERS, PARTS>(rows, matrix.data(), crossed.data());
      for (int row = 0; row < ROWS; row++) std::copy_n(&crossed[row * PARTS], PARTS, rows + row * ROW);
    }
    for (int row = 0; row < ROWS; row++) CELL::after(vectors.data(), rows + row * ROW);
  }

 private:
  const Real *steps;
  const int longest;
  std::vector<Vector> U, v, vectors, matrix, crossed;
};

// What vectors are held against, over all t (see `Probes` of engine.py): ρ (time, STATE); p (time, STATE) of
// each probe; o (probes, lags, STATE); e (errors, time); pairs (error, probe).
struct Probes {
  const Real *gradient;
  const double *const *projected;
  const Real *signs;
  const double *errors;
  const int *aligned;
  int probes, error_signals, pairs, kept;
};

// See `Derivatives` of engine.py: values (kept, lags, time), a row of time `apart` numbers from the next; sums (errors,
// probes, lags); to alignment (pairs, lags, STATE) and magnitude (lags) is added.
struct Derivatives {
  Real *values;
  double *sums, *alignment, *magnitude;
  long apart;
};

// Probes side by side, WIDTH of them in a vector for each number of the state: (groups, rows, NUMBERS).
class Beside {
 public:
  Beside(int probes, int rows = 1)
      : groups(padded(probes, WIDTH) / WIDTH), rows(rows), held(long(groups) * rows * NUMBERS) {}

  const int groups;

  const Vector *at(int group, int row = 0) const { return &held[(long(group) * rows + row) * NUMBERS]; }

  void set(int probe, const Vector *state, int row = 0) {
    Vector *to = const_cast<Vector *>(at(probe / WIDTH, row));
    for (int i = 0; i < NUMBERS; i++) to[i][probe % WIDTH] = numbers(state)[i];
  }

 private:
  const int rows;
  std::vector<Vector> held;
};

// Products of ROWS vectors with a group of probes, which to each vector may have signs of their own.
template <bool SIGNED>
static inline void hold(const Real *const *v, const Vector *p, const Vector *const *signs, Vector *products) {
  Vector sums[ROWS] = {};
  for (int i = 0; i < NUMBERS; i++)
#pragma GCC unroll 12
    for (int row = 0; row < ROWS; row++) sums[row] += v[row][i] * (SIGNED ? signs[row][i] * p[i] : p[i]);
#pragma GCC unroll 12
  for (int row = 0; row < ROWS; row++) products[row] = sums[row];
}

// D of all lags for one sequence, and what is summed over its t.
template <bool SIGNED>
class Sums {
 public:
  Sums(const Probes &given, const int *lags, int count, const Derivatives &to)
      : given(given), lags(lags), count(count), to(to), p(given.probes), signs(SIGNED ? given.probes : 0, count),
        lanes(p.groups * WIDTH), at(given.probes * ROW), products(p.groups * ROWS), derivatives(lanes),
        sums(long(count) * given.error_signals * lanes) {
    for (int probe = 0; SIGNED && probe < given.probes; probe++)
      for (int index = 0; index < count; index++)
        signs.set(probe, read(given.signs + (long(probe) * count + index) * STATE, HELD).data(), index);
  }

  // The windows that start at s, from 0, when their vectors are there.
  void add(const Carried &v, int s) {
    for (int probe = 0; probe < given.probes; probe++) {
      const double *from = given.projected[probe] + long(s) * STATE;
      read(from, HELD, &at[probe * ROW]);
      for (int i = 0; i < STATE; i += 8) __builtin_prefetch(from + i - 2 * STATE);
      p.set(probe, &at[probe * ROW]);
    }
    const int present = std::lower_bound(lags, lags + count, v.time - s) - lags;
    for (int first = 0; first < present; first += ROWS) {
      multiply_probes(v, s, first, present);
      for (int index = first; index < std::min(first + ROWS, present); index++)
        add_window(v, s + lags[index], index, first);
    }
  }

  void write() const {
    for (int index = 0; index < count; index++)
      for (int error = 0; error < given.error_signals; error++)
        for (int probe = 0; probe < given.probes; probe++)
          to.sums[(long(error) * given.probes + probe) * count + index] =
              sums[(long(index) * given.error_signals + error) * lanes + probe];
  }

 private:
  const Probes &given;
  const int *lags;
  const int count;
  const Derivatives &to;
  Beside p, signs;
  const int lanes;
  std::vector<Vector> at, products;
  std::vector<double> derivatives, sums;

  void multiply_probes(const Carried &v, int s, int first, int present) {
    const Real *rows[ROWS];
    const Vector *own[ROWS];
    for (int group = 0; group < p.groups; group++) {
      for (int row = 0; row < ROWS; row++) {
        const int index = std::min(first + row, present - 1);
        rows[row] = numbers(v.at(s + lags[index]));
        own[row] = SIGNED ? signs.at(group, index) : nullptr;
      }
      hold<SIGNED>(rows, p.at(group), own, &products[group * ROWS]);
    }
  }

  void add_window(const Carried &v, int t, int index, int first) {
    const Vector *row = v.at(t);
    if (v.sizes[t] > 0) to.magnitude[index] += v.scales[t] * norm(row) / v.sizes[t];
    for (int group = 0; group < p.groups; group++)
      for (int lane = 0; lane < WIDTH; lane++)
        derivatives[group * WIDTH + lane] = v.scales[t] * products[group * ROWS + index - first][lane];
    for (int probe = 0; probe < given.kept; probe++)
      to.values[(long(probe) * count + index) * to.apart + t] = derivatives[probe];
    for (int error = 0; error < given.error_signals; error++) {
      const double e = given.errors[long(error) * v.time + t];
      double *sum = &sums[(long(index) * given.error_signals + error) * lanes];
      for (int group = 0; group < lanes; group += WIDTH)
        for (int lane = group; lane < group + WIDTH; lane++) sum[lane] += e * derivatives[lane];
    }
    for (int pair = 0; pair < given.pairs; pair++) {
      const double e = given.errors[long(given.aligned[2 * pair]) * v.time + t] * v.scales[t];
      const Vector *of = &at[given.aligned[2 * pair + 1] * ROW];
      double *sum = to.alignment + (long(pair) * count + index) * STATE;
      for (int held = 0; held < HELD; held++)
        for (int unit = 0; unit < HIDDEN; unit++)
          sum[held * HIDDEN + unit] += e * (numbers(row + held * PARTS)[unit] * numbers(of + held * PARTS)[unit]);
    }
  }
};

template <bool SIGNED>
static void add(Carried &v, const Probes &given, const int *lags, int count, const Derivatives &to) {
  Sums<SIGNED> sums(given, lags, count, to);
  for (int s = v.time - 2; s >= 0; s--) {
    v.cross(s + 1);
    sums.add(v, s);
  }
  sums.write();
}

extern "C" void add_exact(int time, const Real *steps, const Real *weights, Probes given, const int *lags, int count,
                          Derivatives to) {
  Carried v(time, steps, weights, given.gradient, lags[count - 1]);
  const Real *end = given.signs + long(given.probes) * count * STATE;
  const bool is_signed = std::any_of(given.signs, end, [](Real sign) { return sign != 1; });
  (is_signed ? add<true> : add<false>)(v, given, lags, count, to);
}

// See `Covectors` of engine.py: values (lags, time, STATE) and scales (lags, time), by the start s of the window, nothing
// where it would end beyond T; whole (error, time, STATE), of errors e (error, time).
extern "C" void carry_exact(int time, const Real *steps, const Real *weights, const Real *gradient,
                            const double *errors, int error_signals, const int *lags, int count, Real *values,
                            double *scales, Real *whole) {
  Carried v(time, steps, weights, gradient, count ? lags[count - 1] : 0);
  const int groups = (error_signals + ROWS - 1) / ROWS;
  std::vector<Vector> sums(groups * ROWS * ROW), own(ROW);
  const auto write = [](const Vector *row, Real *to) {
    for (int held = 0; held < HELD; held++) std::copy_n(numbers(row + held * PARTS), HIDDEN, to + held * HIDDEN);
  };
  for (int s = time - 1; s >= 0; s--) {
    if (s + 1 < time) {
      v.cross(s + 1);
      for (int group = 0; group < groups; group++) v.multiply_rows(&sums[group * ROWS * ROW]);
    }
    read(gradient + long(s) * STATE, HELD, own.data());
    for (int error = 0; error < error_signals; error++) {
      const long at = long(error) * time + s;
      Vector *sum = &sums[error * ROW];
      for (int i = 0; i < ROW; i++) sum[i] += Real(errors[at]) * own[i];
      write(sum, whole + at * STATE);
    }
    for (int index = 0; index < count && s + lags[index] < time; index++) {
      const int t = s + lags[index];
      write(v.at(t), values + (long(index) * time + s) * STATE);
      scales[long(index) * time + s] = v.scales[t];
    }
  }
}
