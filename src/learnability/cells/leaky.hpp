// Cells with one gate (leaky.py), trained and measured.

#pragma once

// h_t = h_{t-1} + s_t ⊙ (g_t - h_{t-1}). Rows: [g; s].
//
// With layer norm p^g is the deviation from the mean over units (the rows of M are their deviations, see native.py), and
//     g = tanh(gain ⊙ n + offset),      n = p^g / d,      d² = |p^g|²/H + ε,      dn = (I - n nᵀ/H) dp^g / d.
// Beside M: [gain; offset]; memory: [n; 1/d].
struct Leaky {
  static constexpr int FIRST = HIDDEN + GATES, SECOND = 0, DIAGONALS = 2, HELD = 1;
  static constexpr int MEMORY = LAYER_NORM ? HIDDEN + 1 : 0, BESIDE = LAYER_NORM ? 2 * HIDDEN : 0;
  static constexpr int CROSSED = LAYER_NORM ? HIDDEN : 0, DETACHED = 0;
  static constexpr long scratch(long) { return 0; }
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr Real EPSILON = 1e-5;  // as in leaky.py
  Real constant_gate;
  const Real *gain;  // and, HIDDEN further, offset

  Vector gate(const Lanes *activation, int unit, int v) const {
    if (GATES == 0) return Vector{} + constant_gate;
    return activation[HIDDEN + (GATES == 1 ? 0 : unit)].part[v];
  }

  // U_hᵀ.
  static Real crossing(const Real *matrix, int row, int column) { return matrix[column * COLUMNS + row]; }

  void normalise(const Step &at) const {
    for (int v = 0; v < VECTORS; v++) {
      Vector squares = {};
      for (int unit = 0; unit < HIDDEN; unit++) squares += at.first[unit].part[v] * at.first[unit].part[v];
      const Vector inverse = Real(1) / square_root(squares / Real(HIDDEN) + EPSILON);
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector n = at.first[unit].part[v] * inverse;
        at.memory[unit].part[v] = n;
        at.first[unit].part[v] = gain[unit] * n + gain[HIDDEN + unit];
      }
      at.memory[HIDDEN].part[v] = inverse;
    }
  }

  // From dp^g to dn, in place; and, as the matrix between them is symmetric, from the gradient at n to δ^g.
  static void through_normalised(const Step &at, Lanes *rows) {
    for (int v = 0; v < VECTORS; v++) {
      Vector along = {};
      for (int unit = 0; unit < HIDDEN; unit++) along += at.memory[unit].part[v] * rows[unit].part[v];
      along /= Real(HIDDEN);
      for (int unit = 0; unit < HIDDEN; unit++) {
        Vector &row = rows[unit].part[v];
        row = (row - at.memory[unit].part[v] * along) * at.memory[HIDDEN].part[v];
      }
    }
  }

  void between(const Step &) const {}

  void forward(const Step &at) const {
    if (LAYER_NORM) normalise(at);
    for (int row = 0; row < FIRST; row++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &a = at.first[row].part[v];
        a = row < HIDDEN ? hyperbolic_tangent(a) : sigmoid(a);
      }
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v];
        at.next[unit].part[v] = h + gate(at.first, unit, v) * (at.first[unit].part[v] - h);
      }
  }

  // δ^g = G s (1 - g²), δ^s = G (g - h) s (1 - s), and G (1 - s) goes on. With layer norm δ^g is first that behind it.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int v = 0; v < VECTORS; v++) {
      Vector shared = {};
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector total = gradient.carried[unit].part[v], g = at.first[unit].part[v];
        const Vector s = gate(at.first, unit, v), keep = Real(1) - s;
        gradient.first[unit].part[v] = total * s * (Real(1) - g * g);
        const Vector to_gate = total * (g - at.previous[unit].part[v]) * s * keep;
        if (GATES == 1) shared += to_gate;
        if (GATES > 1) gradient.first[HIDDEN + unit].part[v] = to_gate;
        gradient.carried[unit].part[v] = total * keep;
      }
      if (GATES == 1) gradient.first[HIDDEN].part[v] = shared;
    }
    if (!LAYER_NORM) return;
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &delta = gradient.first[unit].part[v];
        gradient.beside[unit].part[v] += delta * at.memory[unit].part[v];
        gradient.beside[HIDDEN + unit].part[v] += delta;
        delta *= gain[unit];
      }
    through_normalised(at, gradient.first);
  }

  void between_backward(const Step &, const Gradient &) const {}

  void between_tangent(const Step &, const Tangent &) const {}

  void tangent(const Step &at, const Tangent &along) const {
    if (LAYER_NORM) {
      through_normalised(at, along.first);
      for (int unit = 0; unit < HIDDEN; unit++)
        for (int v = 0; v < VECTORS; v++) {
          Vector &moved = along.first[unit].part[v];
          moved = gain[unit] * moved + along.beside[unit] * at.memory[unit].part[v] + along.beside[HIDDEN + unit];
        }
    }
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector g = at.first[unit].part[v], s = gate(at.first, unit, v), keep = Real(1) - s;
        Vector moved = keep * along.previous[unit].part[v] + s * (Real(1) - g * g) * along.first[unit].part[v];
        if (GATES) moved += (g - at.previous[unit].part[v]) * s * keep * gate(along.first, unit, v);
        along.next[unit].part[v] = moved;
      }
  }

  void between_diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < CROSSED; unit++) to.mixed[unit] = at.memory[unit];
  }

  // With layer norm (n U_h)_q stands in `crossed`: U_qq becomes gain_q (U_qq - n_q (n U_h)_q/H) / d.
  void diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector g = at.first[unit].part[v], s = gate(at.first, unit, v), keep = Real(1) - s;
        Vector mixing = s * (Real(1) - g * g);
        if (LAYER_NORM)
          mixing *= gain[unit] * at.memory[HIDDEN].part[v] *
                    (to.own[unit] - at.memory[unit].part[v] * to.crossed[unit].part[v] / Real(HIDDEN));
        else
          mixing *= to.own[unit];
        if (GATES) mixing += (g - at.previous[unit].part[v]) * s * keep * to.own[HIDDEN + unit];
        to.retention[unit].part[v] = keep;
        to.mixing[unit].part[v] = mixing;
      }
  }
};
