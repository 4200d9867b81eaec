// The gated orthogonal recurrent unit of goru.py, for training; modReLU as in vanilla.hpp.

#pragma once

// h_t = h_{t-1} + z_t ⊙ (g_t - h_{t-1}), g_t = φ(p^W_t + r_t ⊙ p^U_t). Rows: [z; r; U_h h_{t-1}; W_h x_t]; beside M: m.
// Of the last rows stays the argument of φ.
struct GORU {
  static constexpr int FIRST = 4 * HIDDEN, SECOND = 0, DIAGONALS = 0, HELD = 1, MEMORY = 0;
  static constexpr int BESIDE = Nonlinearity::BESIDE, CROSSED = 0, DETACHED = 0;
  static constexpr long scratch(long) { return 0; }
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr int Z = 0, R = HIDDEN, U = 2 * HIDDEN, W = 3 * HIDDEN;
  Real unused;
  Nonlinearity nonlinearity;

  void between(const Step &) const {}

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &z = at.first[Z + unit].part[v], &r = at.first[R + unit].part[v], &a = at.first[W + unit].part[v];
        const Vector h = at.previous[unit].part[v];
        z = sigmoid(z), r = sigmoid(r);
        a += r * at.first[U + unit].part[v];
        at.next[unit].part[v] = h + z * (nonlinearity(unit, a) - h);
      }
  }

  // With A the gradient at φ's argument: δ^z = G (g - h) z (1 - z), δ^W = A, δ^U = A r, δ^r = A p^U r (1 - r), and
  // G (1 - z) goes on.
  void backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        const Vector total = gradient.carried[unit].part[v], h = at.previous[unit].part[v];
        const Vector z = at.first[Z + unit].part[v], r = at.first[R + unit].part[v], a = at.first[W + unit].part[v];
        const Vector g = nonlinearity(unit, a), keep = Real(1) - z;
        const Vector of_a = nonlinearity.back(unit, v, total * z, a, g, gradient.beside);
        gradient.first[Z + unit].part[v] = total * (g - h) * z * keep;
        gradient.first[R + unit].part[v] = of_a * at.first[U + unit].part[v] * r * (Real(1) - r);
        gradient.first[U + unit].part[v] = of_a * r;
        gradient.first[W + unit].part[v] = of_a;
        gradient.carried[unit].part[v] = total * keep;
      }
  }

  void between_backward(const Step &, const Gradient &) const {}
};
