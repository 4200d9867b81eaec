// The cell of attentive.py that attends to what screening keeps, for training: -DSHORT_TERM (ν), -DRELEVANT (ρ), and 0 or
// 1 each, -DMEAN (what f is), -DATTENDS_TO_CURRENT, -DREADS_MIXED (the readout sees s_t, not h_t).

#pragma once

#include <cstring>
#include <limits>

#ifndef SHORT_TERM
#define SHORT_TERM 1
#define RELEVANT 1
#define MEAN 0
#define ATTENDS_TO_CURRENT 1
#define READS_MIXED 0
#endif

// h_t = φ(p^h_t) and s_t = f(h_t, c_t), which takes the place of h_t in z_{t+1}; φ as in vanilla.hpp and
//     c_t = Σ_i α_i h_i,      α = softmax(e),      e_i = vᵀ tanh(q_t + k_i),      q_t = W_a s_{t-1},      k_i = U_a h_i,
// over the states i that screening keeps (memory.py). Rows: [h; q] and [k], of which `filtered` is h_t. Beside M: [v; m].
//
// Each lane keeps its states in slots: the first ones fill them in turn, from then on a state takes the slot of another.
// Memory: [α; the slot taken; what was there, state and key]. So the way back finds every slot as it was. Scratch: of each
// slot state, key and the gradients at both, which go to h_i and k_i at step i; then [a gradient at h_t; β; age].
struct RelRNN {
  static constexpr int SLOTS = SHORT_TERM + RELEVANT, SIZE = SLOTS * HIDDEN;
  static constexpr int FIRST = 2 * HIDDEN, SECOND = HIDDEN, DIAGONALS = 0, HELD = 1, MEMORY = SLOTS + 1 + 2 * HIDDEN;
  static constexpr int BESIDE = HIDDEN + Nonlinearity::BESIDE, CROSSED = 0, SCRATCH = 4 * SIZE + HIDDEN + 2 * SLOTS;
  static constexpr bool OUTPUTS_FILTERED = !READS_MIXED;
  static constexpr Real MIX = MEAN ? 0.5 : 1;
  Real unused;
  const Real *alignment;

  Nonlinearity nonlinearity() const { return {alignment + HIDDEN}; }

  // What a step keeps, and what the slots hold.
  struct Kept {
    Lanes *weights, *slot, *state, *key;
    Lanes *states, *keys, *state_gradients, *key_gradients, *gradient, *relevance, *age;

    explicit Kept(const Step &at)
        : weights(at.memory), slot(weights + SLOTS), state(slot + 1), key(state + HIDDEN), states(at.scratch),
          keys(states + SIZE), state_gradients(keys + SIZE), key_gradients(state_gradients + SIZE),
          gradient(key_gradients + SIZE), relevance(gradient + HIDDEN), age(relevance + SLOTS) {}

    // Rows of a unit each change places with those of the slot that was taken.
    void exchange(Lanes *slots, Lanes *rows) const {
      bool taken[SLOTS] = {};
      for (int lane = 0; lane < TILE; lane++) taken[int(slot->part[lane / WIDTH][lane % WIDTH])] = true;
      for (int s = 0; s < SLOTS; s++)
        if (taken[s])
          for (int unit = 0; unit < HIDDEN; unit++)
            for (int v = 0; v < VECTORS; v++) {
              Vector &held = slots[s * HIDDEN + unit].part[v], &row = rows[unit].part[v];
              const auto here = slot->part[v] == Real(s);
              const Vector before = held;
              held = here ? row : held;
              row = here ? before : row;
            }
    }
  };

  static int filled(long t) {
    const long states = ATTENDS_TO_CURRENT ? t + 1 : t;
    return states < SLOTS ? int(states) : SLOTS;
  }

  // The slot for h_t: the next empty one, or that of the least relevant state outside the buffer, of equals the youngest.
  static void choose(const Kept &kept, long t) {
    for (int v = 0; v < VECTORS; v++) {
      Vector chosen = Vector{} + Real(t < SLOTS ? t : 0);
      Vector lowest = Vector{} + std::numeric_limits<Real>::infinity(), youngest = lowest;
      for (int s = 0; s < SLOTS; s++) {
        Vector &age = kept.age[s].part[v];
        age += Real(1);
        if (t < SLOTS) continue;
        const Vector relevance = kept.relevance[s].part[v];
        const auto better = (age >= Real(SHORT_TERM)) &
                            ((relevance < lowest) | ((relevance == lowest) & (age < youngest)));
        chosen = better ? Vector{} + Real(s) : chosen;
        lowest = better ? relevance : lowest;
        youngest = better ? age : youngest;
      }
      kept.slot->part[v] = chosen;
      for (int s = 0; s < SLOTS; s++) {
        const auto here = chosen == Real(s);
        kept.age[s].part[v] = here ? Vector{} : kept.age[s].part[v];
        kept.relevance[s].part[v] = here ? Vector{} : kept.relevance[s].part[v];
      }
    }
  }

  static void write(const Step &at, const Kept &kept) {
    choose(kept, at.t);
    std::memcpy(kept.state, at.filtered, sizeof(Lanes) * HIDDEN);
    std::memcpy(kept.key, at.second, sizeof(Lanes) * HIDDEN);
    kept.exchange(kept.states, kept.state);
    kept.exchange(kept.keys, kept.key);
  }

  // c_t, in place of h_t, and β.
  void attend(const Step &at, const Kept &kept) const {
    const int count = filled(at.t);
    const Lanes *query = at.first + HIDDEN;
    for (int v = 0; v < VECTORS; v++) {
      Vector highest = Vector{} - std::numeric_limits<Real>::infinity(), total = {};
      for (int s = 0; s < count; s++) {
        Vector score = {};
        for (int unit = 0; unit < HIDDEN; unit++)
          score += alignment[unit] * hyperbolic_tangent(query[unit].part[v] + kept.keys[s * HIDDEN + unit].part[v]);
        kept.weights[s].part[v] = score;
        highest = score > highest ? score : highest;
      }
      for (int s = 0; s < count; s++) {
        Vector &weight = kept.weights[s].part[v];
        weight = exponential(weight - highest);
        total += weight;
      }
      for (int s = 0; s < count; s++) {
        Vector &weight = kept.weights[s].part[v];
        weight /= total;
        kept.relevance[s].part[v] += kept.age[s].part[v] < Real(SHORT_TERM) ? weight : Vector{};
      }
      for (int unit = 0; unit < HIDDEN; unit++) {
        Vector context = {};
        for (int s = 0; s < count; s++) context += kept.weights[s].part[v] * kept.states[s * HIDDEN + unit].part[v];
        at.next[unit].part[v] = context;
      }
    }
  }

  // From the gradient at c_t, which is that at f, to those at q_t and in the slots.
  void attend_backward(const Step &at, const Kept &kept, const Gradient &gradient) const {
    const int count = filled(at.t);
    const Lanes *query = at.first + HIDDEN;
    Lanes *to_query = gradient.first + HIDDEN;
    for (int v = 0; v < VECTORS; v++) {
      Vector at_score[SLOTS], mean = {};
      for (int s = 0; s < count; s++) {
        const Vector weight = kept.weights[s].part[v];
        Vector along = {};
        for (int unit = 0; unit < HIDDEN; unit++) {
          const Vector total = gradient.carried[unit].part[v];
          along += total * kept.states[s * HIDDEN + unit].part[v];
          kept.state_gradients[s * HIDDEN + unit].part[v] += weight * total;
        }
        at_score[s] = along;
        mean += weight * along;
      }
      for (int s = 0; s < count; s++) at_score[s] = kept.weights[s].part[v] * (at_score[s] - mean);
      for (int unit = 0; unit < HIDDEN; unit++) to_query[unit].part[v] = Vector{};
      for (int s = 0; s < count; s++)
        for (int unit = 0; unit < HIDDEN; unit++) {
          const Vector a = hyperbolic_tangent(query[unit].part[v] + kept.keys[s * HIDDEN + unit].part[v]);
          const Vector delta = at_score[s] * alignment[unit] * (Real(1) - a * a);
          gradient.beside[unit].part[v] += at_score[s] * a;
          to_query[unit].part[v] += delta;
          kept.key_gradients[s * HIDDEN + unit].part[v] += delta;
        }
    }
  }

  void between(const Step &at) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) at.filtered[unit].part[v] = nonlinearity()(unit, at.first[unit].part[v]);
  }

  void forward(const Step &at) const {
    const Kept kept(at);
    if (at.t == 0) std::memset(at.scratch, 0, sizeof(Lanes) * SCRATCH);
    if (ATTENDS_TO_CURRENT) write(at, kept);
    attend(at, kept);
    if (!ATTENDS_TO_CURRENT) write(at, kept);
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &s = at.next[unit].part[v];
        s = MIX * (at.filtered[unit].part[v] + s);
      }
  }

  // δ^q, δ^k and, to be carried to `between_backward`, the gradient at h_t save what comes by k_t and the readout.
  void backward(const Step &at, const Gradient &gradient) const {
    const Kept kept(at);
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) gradient.carried[unit].part[v] *= MIX;
    if (ATTENDS_TO_CURRENT) attend_backward(at, kept, gradient);
    kept.exchange(kept.states, kept.state);
    kept.exchange(kept.keys, kept.key);
    std::memset(kept.gradient, 0, sizeof(Lanes) * HIDDEN);
    std::memset(gradient.second, 0, sizeof(Lanes) * HIDDEN);
    kept.exchange(kept.state_gradients, kept.gradient);
    kept.exchange(kept.key_gradients, gradient.second);
    if (!ATTENDS_TO_CURRENT) attend_backward(at, kept, gradient);
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) gradient.carried[unit].part[v] += kept.gradient[unit].part[v];
  }

  void between_backward(const Step &at, const Gradient &gradient) const {
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &carried = gradient.carried[unit].part[v];
        const Vector total = carried + gradient.returned[unit].part[v];
        gradient.first[unit].part[v] = nonlinearity().back(unit, v, total, at.first[unit].part[v],
                                                           at.filtered[unit].part[v], gradient.beside + HIDDEN);
        carried = Vector{};
      }
  }
};
