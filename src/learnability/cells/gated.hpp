// Cells with gates, trained and measured: Leaky (leaky.py), LSTM and GRU.

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

// c_t = f_t ⊙ c_{t-1} + i_t ⊙ g_t, h_t = o_t ⊙ tanh(c_t). Rows: [i; f; o; g]; memory: [c; tanh(c)].
struct LSTM {
  static constexpr int FIRST = 4 * HIDDEN, SECOND = 0, DIAGONALS = 4, HELD = 2, MEMORY = 2 * HIDDEN;
  static constexpr int BESIDE = 0, CROSSED = 0, DETACHED = FIRST;
  static constexpr long scratch(long) { return 0; }
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr int I = 0, F = HIDDEN, O = 2 * HIDDEN, G = 3 * HIDDEN;
  Real unused;
  const Real *nothing;

  static Real crossing(const Real *, int, int) { return 0; }

  void between(const Step &) const {}

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &i = at.first[I + unit].part[v], &f = at.first[F + unit].part[v];
        Vector &o = at.first[O + unit].part[v], &g = at.first[G + unit].part[v];
        i = sigmoid(i), f = sigmoid(f), o = sigmoid(o), g = hyperbolic_tangent(g);
        const Vector c = f * at.previous_memory[unit].part[v] + i * g, expressed = hyperbolic_tangent(c);
        at.memory[unit].part[v] = c;
        at.memory[HIDDEN + unit].part[v] = expressed;
        at.next[unit].part[v] = o * expressed;
      }
  }

  // With C = ∂L/∂c_t in full: δ^o = G tanh(c) o (1 - o), δ^i = C g i (1 - i), δ^f = C c_{t-1} f (1 - f),
  // δ^g = C i (1 - g²), and C f goes on.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = at.memory[HIDDEN + unit].part[v], total = gradient.carried[unit].part[v];
        const Vector of_c = gradient.memory[unit].part[v] + total * o * (Real(1) - expressed * expressed);
        gradient.first[I + unit].part[v] = of_c * g * i * (Real(1) - i);
        gradient.first[F + unit].part[v] = of_c * at.previous_memory[unit].part[v] * f * (Real(1) - f);
        gradient.first[O + unit].part[v] = total * expressed * o * (Real(1) - o);
        gradient.first[G + unit].part[v] = of_c * i * (Real(1) - g * g);
        gradient.memory[unit].part[v] = of_c * f;
        gradient.carried[unit].part[v] = Vector{};
      }
  }

  void between_backward(const Step &, const Gradient &) const {}

  void between_tangent(const Step &, const Tangent &) const {}

  void tangent(const Step &at, const Tangent &along) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = at.memory[HIDDEN + unit].part[v];
        const Vector of_c = f * along.memory[unit].part[v] + g * i * (Real(1) - i) * along.first[I + unit].part[v] +
                            at.previous_memory[unit].part[v] * f * (Real(1) - f) * along.first[F + unit].part[v] +
                            i * (Real(1) - g * g) * along.first[G + unit].part[v];
        along.memory[unit].part[v] = of_c;
        along.next[unit].part[v] = expressed * o * (Real(1) - o) * along.first[O + unit].part[v] +
                                   o * (Real(1) - expressed * expressed) * of_c;
      }
  }

  void between_diagonals(const Step &, const Diagonals &) const {}

  void diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector i = at.first[I + unit].part[v], f = at.first[F + unit].part[v];
        const Vector o = at.first[O + unit].part[v], g = at.first[G + unit].part[v];
        const Vector expressed = at.memory[HIDDEN + unit].part[v];
        to.retention[unit].part[v] = f;
        to.mixing[unit].part[v] = g * i * (Real(1) - i) * to.own[I + unit] +
                                  at.previous_memory[unit].part[v] * f * (Real(1) - f) * to.own[F + unit] +
                                  i * (Real(1) - g * g) * to.own[G + unit];
        to.expression[unit].part[v] = o * (Real(1) - expressed * expressed);
        to.output[unit].part[v] = expressed * o * (Real(1) - o) * to.own[O + unit];
      }
  }
};

// h_t = h_{t-1} + z_t ⊙ (g_t - h_{t-1}), g_t with U_h (r_t ⊙ h_{t-1}). Rows: [z; r] and [g].
struct GRU {
  static constexpr int FIRST = 2 * HIDDEN, SECOND = HIDDEN, DIAGONALS = 3, HELD = 1, MEMORY = 0;
  static constexpr int BESIDE = 0, CROSSED = HIDDEN, DETACHED = 0;
  static constexpr long scratch(long) { return 0; }
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr int Z = 0, R = HIDDEN, G = 2 * HIDDEN;
  Real unused;
  const Real *nothing;

  // U_h ∘ U_rᵀ.
  static Real crossing(const Real *matrix, int row, int column) {
    return matrix[(G + row) * COLUMNS + column] * matrix[(R + column) * COLUMNS + row];
  }

  void between(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &z = at.first[Z + unit].part[v], &r = at.first[R + unit].part[v];
        z = sigmoid(z), r = sigmoid(r);
        at.filtered[unit].part[v] = r * at.previous[unit].part[v];
      }
  }

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &g = at.second[unit].part[v];
        const Vector h = at.previous[unit].part[v];
        g = hyperbolic_tangent(g);
        at.next[unit].part[v] = h + at.first[Z + unit].part[v] * (g - h);
      }
  }

  // δ^z = G (g - h) z (1 - z), δ^g = G z (1 - g²), and G (1 - z) goes on.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector total = gradient.carried[unit].part[v], h = at.previous[unit].part[v];
        const Vector z = at.first[Z + unit].part[v], g = at.second[unit].part[v], keep = Real(1) - z;
        gradient.first[Z + unit].part[v] = total * (g - h) * z * keep;
        gradient.second[unit].part[v] = total * z * (Real(1) - g * g);
        gradient.carried[unit].part[v] = total * keep;
      }
  }

  // With q = U_hᵀ δ^g: δ^r = q h r (1 - r), and q r goes on.
  void between_backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector q = gradient.returned[unit].part[v], r = at.first[R + unit].part[v];
        gradient.first[R + unit].part[v] = q * at.previous[unit].part[v] * r * (Real(1) - r);
        gradient.carried[unit].part[v] += q * r;
      }
  }

  void between_tangent(const Step &at, const Tangent &along) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v], r = at.first[R + unit].part[v];
        along.filtered[unit].part[v] =
            r * along.previous[unit].part[v] + h * r * (Real(1) - r) * along.first[R + unit].part[v];
      }
  }

  void tangent(const Step &at, const Tangent &along) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v], z = at.first[Z + unit].part[v], g = at.second[unit].part[v];
        const Vector keep = Real(1) - z;
        along.next[unit].part[v] = keep * along.previous[unit].part[v] +
                                   (g - h) * z * keep * along.first[Z + unit].part[v] +
                                   z * (Real(1) - g * g) * along.second[unit].part[v];
      }
  }

  void between_diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector r = at.first[R + unit].part[v];
        to.reset[unit].part[v] = r;
        to.mixed[unit].part[v] = at.previous[unit].part[v] * r * (Real(1) - r);
      }
  }

  void diagonals(const Step &at, const Diagonals &to) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector h = at.previous[unit].part[v], z = at.first[Z + unit].part[v], g = at.second[unit].part[v];
        const Vector keep = Real(1) - z, filtered = at.first[R + unit].part[v] * to.own[G + unit] + to.crossed[unit].part[v];
        to.retention[unit].part[v] = keep;
        to.mixing[unit].part[v] = (g - h) * z * keep * to.own[Z + unit] + z * (Real(1) - g * g) * filtered;
      }
  }
};
