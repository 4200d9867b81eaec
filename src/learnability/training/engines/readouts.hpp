// ŷ_t = w h_t + b, what it costs and the way back to h_t: -DOUTPUTS, numbers in ŷ_t, 0 for a scalar; -DCROSS_ENTROPY, 1
// where they are scores of classes, 0 where the loss is the squared error. Weights are [w 0 b], COLUMNS for each output.
// With -DREADS_CONTEXT=1, of several numbers alone, ŷ_t = w h_t + b + w' ĥ_t, ĥ_t what stands for h_{t-1} in the second
// product: then [w' 0 0] lie behind the other weights.

#pragma once

#ifndef READS_CONTEXT
#define READS_CONTEXT 0
#endif

#include <cmath>
#include <cstring>

// What sequences of a tile are held to: y_t, where it counts, and what it counts of all.
struct Targets {
#if CROSS_ENTROPY
  typedef int64_t Number;
#else
  typedef Real Number;
#endif
  const Number *values;  // (sequences, time), or (…, OUTPUTS) of a squared error
  const bool *mask;      // (sequences, time), or none: everywhere
  int time, first, members;
  Real share;

  long place(int lane, long t) const { return long(first + lane) * time + t; }

  bool counts(int lane, long t) const { return !mask || mask[place(lane, t)]; }
};

// ŷ_t, a number, and its squared error.
struct Scalar {
  Lanes *errors, *gradient;
  const Real *weights;
  double bias;

  template <typename Take>
  void place(Take take, long time) {
    take(&errors, time);
    take(&gradient, HIDDEN);
  }

  void start(const Real *given) {
    weights = given, bias = 0;
    std::memset(gradient, 0, sizeof(Lanes) * HIDDEN);
  }

  // The loss of step t, whose output is h.
  double forward(const Targets &targets, long t, const Lanes *h, const Lanes *) {
    double loss = 0;
    Vector prediction[VECTORS];
    for (int v = 0; v < VECTORS; v++) prediction[v] = Vector{} + weights[COLUMNS - 1];
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) prediction[v] += weights[unit] * h[unit].part[v];
    errors[t] = Lanes{};
    for (int lane = 0; lane < targets.members; lane++) {
      if (!targets.counts(lane, t)) continue;
      const Real error = prediction[lane / WIDTH][lane % WIDTH] - Real(targets.values[targets.place(lane, t)]);
      const Real factor = 2 * targets.share;
      loss += double(error) * error;
      bias += double(error) * factor;
      errors[t].part[lane / WIDTH][lane % WIDTH] = error * factor;
    }
    return loss;
  }

  // Add the gradient at h.
  void backward(long t, const Lanes *h, Lanes *to, Lanes *, int) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        to[unit].part[v] += weights[unit] * errors[t].part[v];
        gradient[unit].part[v] += errors[t].part[v] * h[unit].part[v];
      }
  }

  void backward_filtered(long, Lanes *, Lanes *, int) const {}

  template <typename Output, typename Filtered>
  void add_gradient(long, int, int, Transposed &, Output, Filtered) const {}

  void collect_gradient(Real *out) const {
    for (int unit = 0; unit < HIDDEN; unit++) out[unit] = sum(gradient[unit]);
    out[COLUMNS - 1] = Real(bias);
  }
};

// ŷ_t, several numbers: one more product, of [h_t; x; 1], or two.
struct Several {
  static constexpr int STRIDE = padded(OUTPUTS, ROWS) | 1;
  Product<OUTPUTS> product;
  Product<READS_CONTEXT ? OUTPUTS : 0> of_filtered;
  Lanes *errors;  // ŷ_t, which becomes ∂L/∂ŷ_t

  template <typename Take>
  void place(Take take, long time) {
    take(&errors, time * STRIDE);
    product.place(take);
    if constexpr (READS_CONTEXT) of_filtered.place(take);
  }

  void start(const Real *given) {
    product.start(given);
    if constexpr (READS_CONTEXT) of_filtered.start(given + OUTPUTS * COLUMNS);
  }

  double forward(const Targets &targets, long t, const Lanes *operand, const Lanes *filtered) const {
    double loss = 0;
    Lanes *out = errors + t * STRIDE;
    product.forward(operand, out, targets.members);
    if constexpr (READS_CONTEXT) {
      Lanes more[padded(OUTPUTS, ROWS)];
      of_filtered.forward(filtered, more, targets.members);
      for (int row = 0; row < OUTPUTS; row++)
        for (int v = 0; v < VECTORS; v++) out[row].part[v] += more[row].part[v];
    }
    const auto number = [&](int row, int lane) -> Real & { return reinterpret_cast<Real *>(out + row)[lane]; };
#if CROSS_ENTROPY
    const auto target = [&](int lane) -> Real & { return number(int(targets.values[targets.place(lane, t)]), lane); };
    for (int v = 0; v < VECTORS; v++) {
      Vector highest = out[0].part[v];
      for (int row = 1; row < OUTPUTS; row++) highest = out[row].part[v] > highest ? out[row].part[v] : highest;
      for (int row = 0; row < OUTPUTS; row++) out[row].part[v] -= highest;
    }
    Lanes total = {}, share = {};
    for (int lane = 0; lane < targets.members; lane++)
      if (targets.counts(lane, t)) {
        loss -= target(lane);
        share.part[lane / WIDTH][lane % WIDTH] = targets.share;
      }
    for (int v = 0; v < VECTORS; v++) {
      for (int row = 0; row < OUTPUTS; row++) total.part[v] += out[row].part[v] = exponential(out[row].part[v]);
      for (int row = 0; row < OUTPUTS; row++) out[row].part[v] *= share.part[v] / total.part[v];
    }
    for (int lane = 0; lane < targets.members; lane++)
      if (targets.counts(lane, t)) {
        loss += std::log(double(total.part[lane / WIDTH][lane % WIDTH]));
        target(lane) -= targets.share;
      }
#else
    for (int lane = 0; lane < TILE; lane++)
      for (int row = 0; row < OUTPUTS; row++) {
        const bool counts = lane < targets.members && targets.counts(lane, t);
        const Real error = counts ? number(row, lane) - targets.values[targets.place(lane, t) * OUTPUTS + row] : 0;
        loss += double(error) * error;
        number(row, lane) = error * 2 * targets.share;
      }
#endif
    return loss;
  }

  void backward(long t, const Lanes *, Lanes *to, Lanes *returned, int members) const {
    product.backward(errors + t * STRIDE, returned, members);
    add(to, returned);
  }

  // Add the gradient at ĥ.
  void backward_filtered(long t, Lanes *to, Lanes *returned, int members) const {
    if constexpr (READS_CONTEXT) {
      of_filtered.backward(errors + t * STRIDE, returned, members);
      add(to, returned);
    }
  }

  // Of a few steps, from their outputs and their ĥ.
  template <typename Output, typename Filtered>
  void add_gradient(long start, int steps, int members, Transposed &operands, Output output, Filtered filtered) const {
    for (int t = 0; t < steps; t++) operands.fill(output(start + t), t);
    product.add_gradient(errors + start * STRIDE, STRIDE, operands, steps, members);
    if constexpr (READS_CONTEXT) {
      for (int t = 0; t < steps; t++) operands.fill(filtered(start + t), t);
      of_filtered.add_gradient(errors + start * STRIDE, STRIDE, operands, steps, members);
    }
  }

  void collect_gradient(Real *out) const {
    product.collect_gradient(out);
    if constexpr (READS_CONTEXT) of_filtered.collect_gradient(out + OUTPUTS * COLUMNS);
  }
};

using Readout = std::conditional<OUTPUTS == 0, Scalar, Several>::type;
