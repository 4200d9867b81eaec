// GRU, trained and measured.

#pragma once

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
