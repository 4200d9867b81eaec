// Runs a frozen network forward and takes each step to first order (see linearization.py): float64, one thread.
//
// A tile of sequences runs through all of time, one sequence to a lane (see native.hpp). What is asked for is written as
// it is at hand, (unit, time, lane): sums over windows read it unit by unit; ⟨B_t, w⟩ is read t by t, and is (lane,
// time, unit).

#include <cstring>
#include <vector>

using Real = double;
#include "../cells/native.hpp"

constexpr int FIRST_ROWS = padded(CELL::FIRST, ROWS), SECOND_ROWS = padded(CELL::SECOND, ROWS);

// A matrix packed for `multiply`; there may be no rows.
template <int OUT, int IN>
struct Matrix {
  std::vector<Real> packed;

  template <typename Entry>
  explicit Matrix(Entry entry) : packed(long(padded(OUT, ROWS)) * IN) {
    pack<IN>(packed.data(), OUT, entry);
  }

  void operator()(const Lanes *in, Lanes *out) const { multiply<padded(OUT, ROWS), IN>(packed.data(), in, out); }
};

// An array (units, stride / TILE, TILE): rows of lanes go to their units at one t.
struct Output {
  double *base;
  long stride;

  void write(const Lanes *rows, int count, long t, int unit = 0) const {
    for (int row = 0; row < count; row++) std::memcpy(base + (unit + row) * stride + t * TILE, rows + row, sizeof(Lanes));
  }
};

// An array (count, TILE, time, STATE): rows of lanes at one t go to their sequences.
struct BySequence {
  double *base;
  int time;

  void write(const Lanes *rows, int count, int t, long direction, int unit = 0) const {
    for (int lane = 0; lane < TILE; lane++) {
      double *to = base + ((direction * TILE + lane) * time + t) * STATE + unit;
      for (int row = 0; row < count; row++) to[row] = rows[row].part[lane / WIDTH][lane % WIDTH];
    }
  }
};

enum Along { NOTHING, IMMEDIATE, TOTAL };

// With a direction w, dp_t = M_w z_t + U dh_{t-1}: a product with [M_w U] and [h_{t-1}; x_t; 1; dh_{t-1}], or for
// ∂s_t/∂θ at fixed s_{t-1}, without its last part. The second product's dh is that of its own operand.
template <Along ALONG>
static void trace(int sequences, int time, const double *inputs, const double *parameters, const double *own,
                  double constant_gate, const double *directions, int count, Output states, Output diagonals,
                  BySequence projected) {
  constexpr int OPERAND = COLUMNS + HIDDEN, MOVED = ALONG == NOTHING ? 0 : CELL::FIRST;
  const double *matrix = parameters, *second_matrix = matrix + CELL::FIRST * COLUMNS;
  const auto along = [](const double *of_w, const double *of_h) {
    return [=](int row, int column) {
      return column < COLUMNS ? of_w[row * COLUMNS + column] : of_h[row * COLUMNS + column - COLUMNS];
    };
  };
  const Matrix<CELL::FIRST, COLUMNS> first([&](int row, int column) { return matrix[row * COLUMNS + column]; });
  const Matrix<CELL::SECOND, COLUMNS> second([&](int row, int column) { return second_matrix[row * COLUMNS + column]; });
  const Matrix<CELL::CROSSED, HIDDEN> cross([&](int row, int column) { return CELL::crossing(matrix, row, column); });
  struct Direction {  // w, and the derivative along it on its way
    Matrix<MOVED, ALONG == TOTAL ? OPERAND : COLUMNS> first;
    Matrix<MOVED ? CELL::SECOND : 0, OPERAND> second;
    std::vector<Lanes> state, memory;  // dh and what the cell keeps beside it
    const double *beside;              // of w, what the cell has beside M
  };
  std::vector<Direction> moving;
  for (int d = 0; d < count; d++) {
    const double *w = directions + d * PARAMETERS;
    moving.push_back({decltype(Direction::first)(along(w, matrix)),
                      decltype(Direction::second)(along(w + CELL::FIRST * COLUMNS, second_matrix)),
                      std::vector<Lanes>(HIDDEN), std::vector<Lanes>(HIDDEN), w + MATRIX});
  }

  const CELL cell{constant_gate, parameters + MATRIX};
  std::vector<Lanes> operand(2 * OPERAND), filtered(OPERAND), memory(2 * CELL::MEMORY), activations(FIRST_ROWS + SECOND_ROWS);
  std::vector<Lanes> moved(FIRST_ROWS + SECOND_ROWS), found(4 * HIDDEN), mixed(HIDDEN), crossed(padded(CELL::CROSSED, ROWS));
  Lanes *third = &found[2 * HIDDEN];  // of a cell's diagonals, as of `NativeCell.diagonals`
  const Diagonals to{own, &found[0], &found[HIDDEN], third, &found[3 * HIDDEN], third, mixed.data(), crossed.data()};

  states.write(operand.data(), HIDDEN, 0);
  if (CELL::HELD > 1) states.write(memory.data(), HIDDEN, 0, HIDDEN);
  for (int t = 0; t < time; t++) {
    Lanes *z = &operand[t % 2 * OPERAND], *next = &operand[(t + 1) % 2 * OPERAND];
    for (int lane = 0; lane < sequences; lane++) {
      const double *x = inputs + (long(lane) * time + t) * INPUT;
      for (int i = 0; i < INPUT; i++) z[HIDDEN + i].part[lane / WIDTH][lane % WIDTH] = x[i];
    }
    for (int v = 0; v < VECTORS; v++) z[COLUMNS - 1].part[v] = Vector{} + 1.0;
    std::memcpy(&filtered[HIDDEN], z + HIDDEN, sizeof(Lanes) * (INPUT + 1));
    const Step at{&activations[0], &activations[0] + FIRST_ROWS, z, next, filtered.data(),
                  memory.data() + t % 2 * CELL::MEMORY, memory.data() + (t + 1) % 2 * CELL::MEMORY};
    first(z, at.first);
    cell.between(at);
    second(filtered.data(), at.second);
    cell.forward(at);
    states.write(next, HIDDEN, t + 1);
    if (CELL::HELD > 1) states.write(at.memory, HIDDEN, t + 1, HIDDEN);

    for (int d = 0; d < count; d++) {
      Direction &w = moving[d];
      Lanes *carried = z + COLUMNS, *onward = w.state.data();
      std::memcpy(carried, onward, sizeof(Lanes) * HIDDEN);
      const Tangent tangent{&moved[0], &moved[0] + FIRST_ROWS, carried, onward, &filtered[COLUMNS], w.memory.data(),
                            w.beside};
      w.first(z, &moved[0]);
      cell.between_tangent(at, tangent);
      w.second(filtered.data(), &moved[0] + FIRST_ROWS);
      cell.tangent(at, tangent);
      projected.write(onward, HIDDEN, t, d);
      if (CELL::HELD > 1) projected.write(w.memory.data(), HIDDEN, t, d, HIDDEN);
      if (ALONG == IMMEDIATE) {
        std::memset(onward, 0, sizeof(Lanes) * HIDDEN);
        std::memset(w.memory.data(), 0, sizeof(Lanes) * HIDDEN);
      }
    }
    if (diagonals.base) {
      cell.between_diagonals(at, to);
      cross(mixed.data(), crossed.data());
      cell.diagonals(at, to);
      diagonals.write(found.data(), CELL::DIAGONALS * HIDDEN, t);
    }
  }
}

// The states s_0, …, s_T of up to TILE sequences, unless null the diagonals of their one-step Jacobians, and ⟨B_t, w⟩ along
// each of `count` directions w, at t = 1, …, T.
//   inputs (sequences, time, INPUT), parameters (PARAMETERS): M (FIRST + SECOND rows, COLUMNS) and what the cell has beside
//   it, each w as these; own U_qq (paths, HIDDEN); states (STATE, stride), diagonals (their number × HIDDEN, stride), where t and lane count within the stride;
//   projected (count, lane, time, STATE). Lanes beyond the sequences hold numbers of no meaning.
extern "C" void trace(int sequences, int time, const double *inputs, const double *parameters, const double *own,
                      double constant_gate, const double *directions, int count, bool total, long stride,
                      double *states, double *diagonals, double *projected) {
  const auto run = !count ? trace<NOTHING> : total ? trace<TOTAL> : trace<IMMEDIATE>;
  run(sequences, time, inputs, parameters, own, constant_gate, directions, count, {states, stride}, {diagonals, stride},
      {projected, time});
}
