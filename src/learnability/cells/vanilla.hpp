// The recurrence without gates of vanilla.py, for training. -DMODRELU (0 or 1) says what φ is: tanh or modReLU.

#pragma once

#ifndef MODRELU
#define MODRELU 0
#endif

// φ(a) = tanh a, or sign(a) max(|a| + m, 0), m of each unit behind what else the cell has beside M.
struct Nonlinearity {
  static constexpr int BESIDE = MODRELU ? HIDDEN : 0;
  const Real *m;

  static Vector sign(Vector a) { return a > 0 ? Vector{} + Real(1) : a < 0 ? Vector{} - Real(1) : Vector{}; }

  static auto is_off(Vector a, Real m) { return (a < 0 ? -a : a) + m < 0; }

  Vector operator()(int unit, Vector a) const {
    if (!MODRELU) return hyperbolic_tangent(a);
    return is_off(a, m[unit]) ? Vector{} : a + m[unit] * sign(a);
  }

  // From the gradient at h = φ(a) to that at a; that at m is added to its rows `beside`.
  Vector back(int unit, int v, Vector gradient, Vector a, Vector h, Lanes *beside) const {
    if (!MODRELU) return gradient * (Real(1) - h * h);
    gradient = is_off(a, m[unit]) ? Vector{} : gradient;
    beside[unit].part[v] += gradient * sign(a);
    return gradient;
  }
};

// h_t = φ(p_t). Rows: [h]; beside M: m of modReLU.
struct RNN {
  static constexpr int FIRST = HIDDEN, SECOND = 0, DIAGONALS = 0, HELD = 1, MEMORY = 0;
  static constexpr int BESIDE = Nonlinearity::BESIDE, CROSSED = 0, DETACHED = 0;
  static constexpr long scratch(long) { return 0; }
  static constexpr bool OUTPUTS_FILTERED = false;
  Real unused;
  Nonlinearity nonlinearity;

  void between(const Step &) const {}

  void forward(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) at.next[unit].part[v] = nonlinearity(unit, at.first[unit].part[v]);
  }

  void backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &carried = gradient.carried[unit].part[v];
        const Vector a = at.first[unit].part[v], h = at.next[unit].part[v];
        gradient.first[unit].part[v] = nonlinearity.back(unit, v, carried, a, h, gradient.beside);
        carried = Vector{};
      }
  }

  void between_backward(const Step &, const Gradient &) const {}
};
