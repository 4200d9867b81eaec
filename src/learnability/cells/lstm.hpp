// LSTM, trained and measured.

#pragma once

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
