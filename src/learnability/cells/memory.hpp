// Memories of past states (memory.py) and attention to them, for training: -DSHORT_TERM (ν) and -DRELEVANT (ρ) of screening.

#pragma once

#include <cstring>
#include <limits>

#ifndef SHORT_TERM
#define SHORT_TERM 1
#define RELEVANT 1
#endif

// A memory, at a step that attends to `count` pairs of it: states h_i and keys k_i, the weights of the step and the
// gradients at them, and at states and keys so far, which go to h_i and k_i at step i. It is told when the step begins and
// what its weights are; `write` puts h_t and k_t in, `release` is the way back over it: the gradient at h_t, and at k_t.

// All states, where their steps left them: nothing is copied. Every n-th step from `FIRST` on has a pair. Scratch, of each
// step: gradients at the state and the key of its pair, and its weights, no more than steps so far. On the way back those
// of the step after are not needed any more.
template <int FIRST, int EVERY>
struct All {
  static constexpr int MEMORY = 0;
  static constexpr long place(long step) { return 2L * HIDDEN * step + step * (step + 1) / 2; }
  static constexpr long scratch(long steps) { return place(steps + 1); }
  long t, count;
  const Lanes *state_here, *key_here;
  long stride;
  Lanes *blocks, *weights, *at_weights;

  All(const Step &at, long count, const Lanes *state, const Lanes *key)
      : t(at.t), count(count), state_here(state), key_here(key), stride(at.stride), blocks(at.scratch),
        weights(gradients(t) + 2 * HIDDEN), at_weights(gradients(t + 1) + 2 * HIDDEN) {}

  static long step(long i) { return FIRST + i * EVERY; }
  Lanes *gradients(long step) const { return blocks + place(step); }

  const Lanes *state(long i) const { return state_here - (t - step(i)) * Z_ROWS; }
  const Lanes *key(long i) const { return key_here - (t - step(i)) * stride; }
  Lanes *state_gradient(long i) const { return gradients(step(i)); }
  Lanes *key_gradient(long i) const { return gradients(step(i)) + HIDDEN; }

  void begin() const { std::memset(gradients(t), 0, sizeof(Lanes) * 2 * HIDDEN); }

  void write() const {}

  void gather() const {}

  const Lanes *release(Lanes *to_key) const {
    std::memcpy(to_key, gradients(t) + HIDDEN, sizeof(Lanes) * HIDDEN);
    return gradients(t);
  }
};

// Every state: h_i is `filtered` of its step and k_i the second product.
struct Full : All<0, 1> {
  Full(const Step &at, Lanes *, long states) : All(at, states, at.filtered, at.second) {}
};

// What screening keeps. Each lane has its states in slots: the first ones fill them in turn, from then on a state takes the
// slot of another. Rows of each step: [α; the slot taken; what was there, state and key], so the way back finds every slot
// as it was. Scratch: of each slot state, key and the gradients at both; then [a gradient at h_t; β; age;
// the gradients at α].
struct Screened {
  static constexpr int SLOTS = SHORT_TERM + RELEVANT, SIZE = SLOTS * HIDDEN, MEMORY = SLOTS + 1 + 2 * HIDDEN;
  static constexpr long scratch(long) { return 4 * SIZE + HIDDEN + 3 * SLOTS; }
  const Step &at;
  long count;
  Lanes *weights, *slot, *held_state, *held_key;
  Lanes *states, *keys, *state_gradients, *key_gradients, *gradient, *relevance, *age, *at_weights;

  Screened(const Step &at, Lanes *rows, long states_so_far)
      : at(at), count(states_so_far < SLOTS ? states_so_far : SLOTS), weights(rows), slot(weights + SLOTS),
        held_state(slot + 1), held_key(held_state + HIDDEN), states(at.scratch), keys(states + SIZE),
        state_gradients(keys + SIZE), key_gradients(state_gradients + SIZE), gradient(key_gradients + SIZE),
        relevance(gradient + HIDDEN), age(relevance + SLOTS), at_weights(age + SLOTS) {}

  const Lanes *state(long i) const { return states + i * HIDDEN; }
  const Lanes *key(long i) const { return keys + i * HIDDEN; }
  Lanes *state_gradient(long i) const { return state_gradients + i * HIDDEN; }
  Lanes *key_gradient(long i) const { return key_gradients + i * HIDDEN; }

  void begin() const {
    if (at.t == 0) std::memset(at.scratch, 0, sizeof(Lanes) * scratch(0));
  }

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

  // The slot for h_t: the next empty one, or that of the least relevant state outside the buffer, of equals the youngest.
  void choose() const {
    for (int v = 0; v < VECTORS; v++) {
      Vector chosen = Vector{} + Real(at.t < SLOTS ? at.t : 0);
      Vector lowest = Vector{} + std::numeric_limits<Real>::infinity(), youngest = lowest;
      for (int s = 0; s < SLOTS; s++) {
        Vector &own = age[s].part[v];
        own += Real(1);
        if (at.t < SLOTS) continue;
        const Vector beta = relevance[s].part[v];
        const auto better = (own >= Real(SHORT_TERM)) & ((beta < lowest) | ((beta == lowest) & (own < youngest)));
        chosen = better ? Vector{} + Real(s) : chosen;
        lowest = better ? beta : lowest;
        youngest = better ? own : youngest;
      }
      slot->part[v] = chosen;
      for (int s = 0; s < SLOTS; s++) {
        const auto here = chosen == Real(s);
        age[s].part[v] = here ? Vector{} : age[s].part[v];
        relevance[s].part[v] = here ? Vector{} : relevance[s].part[v];
      }
    }
  }

  void write() const {
    choose();
    std::memcpy(held_state, at.filtered, sizeof(Lanes) * HIDDEN);
    std::memcpy(held_key, at.second, sizeof(Lanes) * HIDDEN);
    exchange(states, held_state);
    exchange(keys, held_key);
  }

  // β of the states in the buffer.
  void gather() const {
    for (int s = 0; s < count; s++)
      for (int v = 0; v < VECTORS; v++)
        relevance[s].part[v] += age[s].part[v] < Real(SHORT_TERM) ? weights[s].part[v] : Vector{};
  }

  const Lanes *release(Lanes *to_key) const {
    exchange(states, held_state);
    exchange(keys, held_key);
    std::memset(gradient, 0, sizeof(Lanes) * HIDDEN);
    std::memset(to_key, 0, sizeof(Lanes) * HIDDEN);
    exchange(state_gradients, gradient);
    exchange(key_gradients, to_key);
    return gradient;
  }
};

// e_i = aᵀ tanh(q + k_i), where the weights go.
template <typename Memory>
static void score(const Memory &memory, const Lanes *query, const Real *alignment) {
  for (long i = 0; i < memory.count; i++) {
    const Lanes *key = memory.key(i);
    for (int v = 0; v < VECTORS; v++) {
      Vector score = {};
      for (int unit = 0; unit < HIDDEN; unit++)
        score += alignment[unit] * hyperbolic_tangent(query[unit].part[v] + key[unit].part[v]);
      memory.weights[i].part[v] = score;
    }
  }
}

// From the gradients at e_i, where the weights were. Where no lane has one, nothing is to do.
template <typename Memory>
static void score_backward(const Memory &memory, const Lanes *query, const Real *alignment, Lanes *to_query,
                           Lanes *to_alignment) {
  std::memset(to_query, 0, sizeof(Lanes) * HIDDEN);
  for (long i = 0; i < memory.count; i++) {
    const Lanes *key = memory.key(i);
    Lanes *to_key = memory.key_gradient(i);
    for (int v = 0; v < VECTORS; v++) {
      const Vector at_score = memory.weights[i].part[v];
      bool counts = false;
      for (int lane = 0; lane < WIDTH; lane++) counts |= at_score[lane] != 0;
      if (!counts) continue;
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector a = hyperbolic_tangent(query[unit].part[v] + key[unit].part[v]);
        const Vector delta = at_score * alignment[unit] * (Real(1) - a * a);
        to_alignment[unit].part[v] += at_score * a;
        to_query[unit].part[v] += delta;
        to_key[unit].part[v] += delta;
      }
    }
  }
}

// α = softmax(e), in place.
template <typename Memory>
static void softmax(const Memory &memory) {
  for (int v = 0; v < VECTORS; v++) {
    Vector highest = Vector{} - std::numeric_limits<Real>::infinity(), total = {};
    for (long i = 0; i < memory.count; i++) {
      const Vector score = memory.weights[i].part[v];
      highest = score > highest ? score : highest;
    }
    for (long i = 0; i < memory.count; i++) {
      Vector &weight = memory.weights[i].part[v];
      weight = exponential(weight - highest);
      total += weight;
    }
    for (long i = 0; i < memory.count; i++) memory.weights[i].part[v] /= total;
  }
}

// c = Σ_i w_i h_i.
template <typename Memory>
static void average(const Memory &memory, Lanes *context) {
  std::memset(context, 0, sizeof(Lanes) * HIDDEN);
  for (long i = 0; i < memory.count; i++) {
    const Lanes *state = memory.state(i);
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) context[unit].part[v] += memory.weights[i].part[v] * state[unit].part[v];
  }
}

// From the gradient at c to those at w_i and h_i.
template <typename Memory>
static void average_backward(const Memory &memory, const Lanes *gradient) {
  for (long i = 0; i < memory.count; i++) {
    const Lanes *state = memory.state(i);
    Lanes *to_state = memory.state_gradient(i);
    for (int v = 0; v < VECTORS; v++) {
      const Vector weight = memory.weights[i].part[v];
      Vector at_weight = {};
      for (int unit = 0; unit < HIDDEN; unit++) {
        const Vector total = gradient[unit].part[v];
        at_weight += total * state[unit].part[v];
        to_state[unit].part[v] += weight * total;
      }
      memory.at_weights[i].part[v] = at_weight;
    }
  }
}

// Σ_i w_i times the gradient at w_i: summed so, it leaves 0 of the gradient of a w_i = 1.
template <typename Memory>
static Vector mean_gradient(const Memory &memory, int v) {
  Vector mean = {};
  for (long i = 0; i < memory.count; i++) mean += memory.weights[i].part[v] * memory.at_weights[i].part[v];
  return mean;
}

// From the gradients at α_i to those at e_i, in place of α_i.
template <typename Memory>
static void softmax_backward(const Memory &memory) {
  for (int v = 0; v < VECTORS; v++) {
    const Vector mean = mean_gradient(memory, v);
    for (long i = 0; i < memory.count; i++) memory.weights[i].part[v] *= memory.at_weights[i].part[v] - mean;
  }
}

// A step of the cell that attends, as one of its base, whose h_t is `filtered`.
static inline Step of_base(Step at) {
  at.next = at.filtered;
  return at;
}
