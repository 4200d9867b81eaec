// States of a reservoir: float64, the sequences given, one thread. What lies in `states`, as [time][sequence][unit], is
// W_in x_t + b and becomes h_t = (1 - a) h_{t-1} + a tanh(W h_{t-1} + W_in x_t + b).
//
// Of dense weights ROWS x TOGETHER sums of products stay in registers, and rows are read where they lie: once a step for
// all sequences. Of sparse weights the sequences are lanes; a single one goes without.

using Real = double;
// Of native.hpp, which is compiled for a network, only vectors and tanh are used: the smallest network will do.
#define CELL Leaky
#define HIDDEN 1
#define INPUT 1
#define GATES 0
#define LAYER_NORM 0
#include "../cells/native.hpp"

#include <cstring>
#include <vector>

constexpr int TOGETHER = 4;

typedef double Loaded __attribute__((vector_size(BYTES), aligned(8), may_alias));

static Vector load(const double *from) { return *reinterpret_cast<const Loaded *>(from); }

static double sum(Vector of) {
  for (int half = WIDTH / 2; half; half /= 2)
    for (int lane = 0; lane < half; lane++) of[lane] += of[lane + half];
  return of[0];
}

// to += W h of HEIGHT rows and COUNT sequences.
template <int HEIGHT, int COUNT>
static inline void add_block(const double *rows, const double *h, double *to, long units) {
  Vector sums[HEIGHT][COUNT] = {};
  long column = 0;
  for (; column + WIDTH <= units; column += WIDTH)
#pragma GCC unroll 8
    for (int row = 0; row < HEIGHT; row++)
#pragma GCC unroll 4
      for (int s = 0; s < COUNT; s++)
        sums[row][s] += load(rows + row * units + column) * load(h + s * units + column);
  for (int row = 0; row < HEIGHT; row++)
    for (int s = 0; s < COUNT; s++) {
      double rest = sum(sums[row][s]);
      for (long last = column; last < units; last++) rest += rows[row * units + last] * h[s * units + last];
      to[s * units + row] += rest;
    }
}

template <int HEIGHT>
static void add_rows(const double *rows, const double *h, double *to, long sequences, long units) {
  long s = 0;
  for (; s + TOGETHER <= sequences; s += TOGETHER)
    add_block<HEIGHT, TOGETHER>(rows, h + s * units, to + s * units, units);
  for (; s < sequences; s++) add_block<HEIGHT, 1>(rows, h + s * units, to + s * units, units);
}

struct Dense {
  const double *weights;
  long units;

  void add(const double *h, double *to, long sequences) {
    const int height = sequences < TOGETHER ? ROWS : TOGETHER;
    long row = 0;
    for (; row + height <= units; row += height)
      if (height == ROWS) add_rows<ROWS>(weights + row * units, h, to + row, sequences, units);
      else add_rows<TOGETHER>(weights + row * units, h, to + row, sequences, units);
    for (; row < units; row++) add_rows<1>(weights + row * units, h, to + row, sequences, units);
  }
};

// In compressed rows.
struct Sparse {
  const double *weights;
  const int32_t *columns, *starts;
  long units;
  std::vector<double> turned;  // h as [unit][lane]

  void add(const double *h, double *to, long sequences) {
    if (sequences == 1) return add_one(h, to);
    turned.resize(units * WIDTH);
    for (long s = 0; s < sequences; s += WIDTH)
      add_lanes(h + s * units, to + s * units, sequences - s < WIDTH ? sequences - s : WIDTH);
  }

  void add_one(const double *h, double *to) {
    for (long row = 0; row < units; row++) {
      double even = 0, odd = 0;  // two chains of sums hide the latency of one
      int32_t k = starts[row];
      for (; k + 1 < starts[row + 1]; k += 2) {
        even += weights[k] * h[columns[k]];
        odd += weights[k + 1] * h[columns[k + 1]];
      }
      if (k < starts[row + 1]) even += weights[k] * h[columns[k]];
      to[row] += even + odd;
    }
  }

  void add_lanes(const double *h, double *to, int lanes) {
    for (long unit = 0; unit < units; unit++)
      for (int lane = 0; lane < lanes; lane++) turned[unit * WIDTH + lane] = h[lane * units + unit];
    for (long row = 0; row < units; row++) {
      Vector sums = {};
      for (int32_t k = starts[row]; k < starts[row + 1]; k++)
        sums += weights[k] * load(turned.data() + long(columns[k]) * WIDTH);
      for (int lane = 0; lane < lanes; lane++) to[lane * units + row] += sums[lane];
    }
  }
};

static void saturate(double *states, const double *previous, long count, double leak) {
  for (long first = 0; first < count; first += WIDTH) {
    const long size = sizeof(double) * (count - first < WIDTH ? count - first : WIDTH);
    Vector driven = {}, before = {};
    std::memcpy(&driven, states + first, size);
    std::memcpy(&before, previous + first, size);
    const Vector found = (1 - leak) * before + leak * hyperbolic_tangent(driven);
    std::memcpy(states + first, &found, size);
  }
}

// `apart`: numbers from one step to the next, of which these sequences may be a part.
template <typename Weights>
static void drive(Weights weights, double leak, const double *initial, double *states, long sequences, long time,
                  long apart) {
  const double *previous = initial;
  for (long t = 0; t < time; t++, previous = states, states += apart) {
    weights.add(previous, states, sequences);
    saturate(states, previous, sequences * weights.units, leak);
  }
}

extern "C" void drive_dense(const double *weights, long units, double leak, const double *initial, double *states,
                            long sequences, long time, long apart) {
  drive(Dense{weights, units}, leak, initial, states, sequences, time, apart);
}

extern "C" void drive_sparse(const double *weights, const int32_t *columns, const int32_t *starts, long units,
                             double leak, const double *initial, double *states, long sequences, long time,
                             long apart) {
  drive(Sparse{weights, columns, starts, units, {}}, leak, initial, states, sequences, time, apart);
}
