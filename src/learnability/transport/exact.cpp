// Exact transport of row vectors v_{t,ℓ} = ρ_tᵀ J_t … J_{t-ℓ+1} (see exact.py), and what is summed over them: one
// sequence, one thread, in numbers -DREAL, float or double.
//
// Back over each step s, all vectors on their way, those of t = s, s+1, …, cross J_s together. To all of them J_s is
// one dense matrix: they cost one matrix product, however many paths the cell has.
//
// Compiled for one network: -DCELL (Leaky, LSTM or GRU, below), -DHIDDEN, -DGATES. Steps come from linearization.py.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#if defined(__AVX512F__)
constexpr int BYTES = 64, ROWS = 12;  // 32 registers
#elif defined(__AVX__)
constexpr int BYTES = 32, ROWS = 6;  // 16 registers
#else
constexpr int BYTES = 16, ROWS = 6;  // 16 registers
#endif

typedef REAL Real;
typedef Real Vector __attribute__((vector_size(BYTES)));
typedef Real Half __attribute__((vector_size(BYTES / 2)));

constexpr int padded(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

constexpr int WIDTH = BYTES / sizeof(Real);
constexpr int GROUP = 2;                                       // ROWS x GROUP sums stay in registers
constexpr int PARTS = padded(HIDDEN, WIDTH * GROUP) / WIDTH;  // vectors that hold one number of every unit
constexpr int UNITS = PARTS * WIDTH;                           // numbers in them; those beyond HIDDEN are 0
constexpr int WEIGHTS = padded(HIDDEN, ROWS) * PARTS;          // vectors that hold a path's U

static const Real *numbers(const Vector *row) { return reinterpret_cast<const Real *>(row); }
static Real *numbers(Vector *row) { return reinterpret_cast<Real *>(row); }

// out = rows · matrix, for ROWS rows of IN numbers; rows of `matrix` and `out` are PARTS long.
template <int IN>
static inline void multiply(const Vector *__restrict rows, const Vector *__restrict matrix, Vector *__restrict out) {
  for (int part = 0; part < PARTS; part += GROUP) {
    Vector sums[ROWS][GROUP] = {};
    for (int column = 0; column < IN; column++)
#pragma GCC unroll 12
      for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 2
        for (int v = 0; v < GROUP; v++)
          sums[row][v] += numbers(rows)[row * IN + column] * matrix[column * PARTS + part + v];
#pragma GCC unroll 12
    for (int row = 0; row < ROWS; row++)
#pragma GCC unroll 2
      for (int v = 0; v < GROUP; v++) out[row * PARTS + part + v] = sums[row][v];
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

// A cell: its state in HELD parts of HIDDEN numbers, VECTORS of a step and one more for each of PATHS; J_s as what
// happens to v before and after vᵀ · matrix takes the place of v's first part. Rows of `matrix`: those of each part,
// UNITS long.

// J = D(1 - s) + paths. Vectors: 1 - s.
struct Leaky {
  static constexpr int HELD = 1, VECTORS = 1, PATHS = GATES ? 2 : 1;

  static void set(const Vector *vectors, const Vector *U, Vector *matrix) {
    add_diagonal(vectors, matrix);
    for (int path = 0; path < PATHS; path++) add_path(vectors + (VECTORS + path) * PARTS, U + path * WEIGHTS, matrix);
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
      multiply<UNITS>(U + 2 * WEIGHTS + row * PARTS, filtered, product + row * PARTS);
    add_diagonal(vectors, matrix);
    add_path(z, U, matrix);
    add_path(g, product, matrix);
  }

  static void before(const Vector *, Vector *) {}
  static void after(const Vector *, Vector *) {}
};

constexpr int HELD = CELL::HELD, STATE = HELD * HIDDEN, VECTORS = CELL::VECTORS + CELL::PATHS;
constexpr int ROW = HELD * PARTS;  // vectors that hold a row over the state

// Rows of HIDDEN numbers, padded.
static void read(const Real *from, long rows, Vector *to) {
  for (long row = 0; row < rows; row++) std::memcpy(to + row * PARTS, from + row * HIDDEN, sizeof(Real) * HIDDEN);
}

static std::vector<Vector> read(const Real *from, long rows) {
  std::vector<Vector> to(rows * PARTS);
  read(from, rows, to.data());
  return to;
}

// Σ a b … over the state.
template <typename... Rows>
static inline double inner(Rows... rows) {
  Vector products{};
  for (int i = 0; i < ROW; i++) products += (rows[i] * ...);
  Half halves[2];
  std::memcpy(halves, &products, BYTES);
  halves[0] += halves[1];
  Real total = 0;
  for (int lane = 0; lane < WIDTH / 2; lane++) total += halves[0][lane];
  return total;
}

// Brings what is held of a vector near 1: the vector is `scale`, a power of 2, times it.
static void rescale(Vector *v, double &scale) {
  const double norm = std::sqrt(inner(v, v));
  if (!(norm > 0 && (norm < 1e-6 || norm > 1e6))) return;
  const int exponent = std::ilogb(norm);
  const Real factor = std::ldexp(1.0, -exponent);
  for (int i = 0; i < ROW; i++) v[i] *= factor;
  scale = std::ldexp(scale, exponent);
}

// What vectors are held against, over all t (see `Probes` of engine.py): ρ (time, STATE); p (probes, time, STATE),
// `apart` numbers from one probe to the next; o (probes, lags, STATE); e (errors, time); pairs (error, probe).
struct Probes {
  const Real *gradient, *projected, *signs;
  const double *errors;
  const int *aligned;
  int probes, error_signals, pairs, kept;
  long apart;
};

// See `Derivatives` of engine.py: values (kept, lags, time), a row of time `apart` numbers from the next; sums (errors,
// probes, lags); to alignment (pairs, lags, STATE) and magnitude (lags) is added.
struct Derivatives {
  Real *values;
  double *sums, *alignment, *magnitude;
  long apart;
};

constexpr int RESCALED = 16;  // lags at which vectors are brought near 1: every so many

// D of all lags for the steps (time, VECTORS, HIDDEN) of one sequence, with weights U (PATHS, HIDDEN, HIDDEN).
extern "C" void add_exact(int time, const Real *steps, const Real *weights, Probes given, const int *lags, int count,
                          Derivatives to) {
  const int longest = lags[count - 1], probes = given.probes, errors = given.error_signals;
  std::vector<Vector> U(CELL::PATHS * WEIGHTS);
  for (int path = 0; path < CELL::PATHS; path++) read(weights + path * HIDDEN * HIDDEN, HIDDEN, &U[path * WEIGHTS]);
  std::vector<Vector> signs(long(count) * probes * ROW);  // in the order in which they are read
  for (int probe = 0; probe < probes; probe++)
    for (int index = 0; index < count; index++)
      read(given.signs + (long(probe) * count + index) * STATE, HELD, &signs[(long(index) * probes + probe) * ROW]);
  std::vector<Vector> v = read(given.gradient, long(time) * HELD);
  v.resize(long(time + ROWS) * ROW);
  std::vector<Vector> vectors(VECTORS * PARTS), matrix(HELD * UNITS * PARTS), p(probes * ROW), crossed(ROWS * PARTS);
  std::vector<double> sizes(time), scales(time, 1.0), derivatives(probes), sums(long(count) * errors * probes);
  for (int t = 0; t < time; t++) sizes[t] = std::sqrt(inner(&v[long(t) * ROW], &v[long(t) * ROW]));

  for (int s = time - 1; s > 0; s--) {  // counted from 0
    read(steps + long(s) * VECTORS * HIDDEN, VECTORS, vectors.data());
    std::fill(matrix.begin(), matrix.end(), Vector{});
    CELL::set(vectors.data(), U.data(), matrix.data());
    const int stop = std::min(time, s + longest);
    for (int t = s; t < stop; t += ROWS) {
      Vector *rows = &v[long(t) * ROW];
      for (int row = 0; row < ROWS; row++) CELL::before(vectors.data(), rows + row * ROW);
      multiply<HELD * UNITS>(rows, matrix.data(), crossed.data());
      for (int row = 0; row < ROWS; row++) {
        std::copy_n(&crossed[row * PARTS], PARTS, rows + row * ROW);
        CELL::after(vectors.data(), rows + row * ROW);
      }
    }
    for (int t = s + RESCALED - 1; t < stop; t += RESCALED) rescale(&v[long(t) * ROW], scales[t]);

    for (int probe = 0; probe < probes; probe++)
      read(given.projected + probe * given.apart + long(s - 1) * STATE, HELD, &p[probe * ROW]);
    for (int index = 0; index < count && s + lags[index] <= time; index++) {
      const int t = s + lags[index] - 1;
      const Vector *row = &v[long(t) * ROW];
      if (sizes[t] > 0) to.magnitude[index] += scales[t] * std::sqrt(inner(row, row)) / sizes[t];
      for (int probe = 0; probe < probes; probe++)
        derivatives[probe] = scales[t] * inner(row, &p[probe * ROW], &signs[(long(index) * probes + probe) * ROW]);
      for (int probe = 0; probe < given.kept; probe++)
        to.values[(long(probe) * count + index) * to.apart + t] = derivatives[probe];
      for (int error = 0; error < errors; error++) {
        const double e = given.errors[long(error) * time + t];
        double *sum = &sums[(long(index) * errors + error) * probes];
        for (int probe = 0; probe < probes; probe++) sum[probe] += e * derivatives[probe];
      }
      for (int pair = 0; pair < given.pairs; pair++) {
        const double e = given.errors[long(given.aligned[2 * pair]) * time + t] * scales[t];
        const Vector *of = &p[given.aligned[2 * pair + 1] * ROW];
        double *sum = to.alignment + (long(pair) * count + index) * STATE;
        for (int held = 0; held < HELD; held++)
          for (int unit = 0; unit < HIDDEN; unit++)
            sum[held * HIDDEN + unit] +=
                e * (numbers(row + held * PARTS)[unit] * numbers(of + held * PARTS)[unit]);
      }
    }
  }
  for (int index = 0; index < count; index++)
    for (int error = 0; error < errors; error++)
      for (int probe = 0; probe < probes; probe++)
        to.sums[(long(error) * probes + probe) * count + index] = sums[(long(index) * errors + error) * probes + probe];
}
