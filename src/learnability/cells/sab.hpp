// Sparse attentive backtracking of sab.py, for training: -DTOP_K (k), -DSTORE_EVERY (n).

#pragma once

#ifndef TOP_K
#define TOP_K 1
#define STORE_EVERY 1
#endif

// ĥ_t by an LSTM and h_t = ĥ_t + Σ_i w_i m_i, every n-th h_i a memory m_i:
//     w_i = a_i / (Σ_i a_i + ε),   a_i = max(e_i - e_(k+1), 0),   e_i = vᵀ tanh(q_t + k_i),   q_t = W_a ĥ_t,   k_i = U_a m_i
// with the least score as e_(k+1) where there are at most k. Rows: [those of the LSTM; U_a h_{t-1}] and [q], of which
// `filtered` is ĥ_t: a step writes the memory of the step before. Beside M: v; memory: [of the LSTM; Σ_i a_i + ε; which i
// has e_(k+1)].
struct SAB {
  using Memory = All<STORE_EVERY, STORE_EVERY>;
  static constexpr int FIRST = LSTM::FIRST + HIDDEN, SECOND = HIDDEN, DIAGONALS = 0, HELD = 2, DETACHED = LSTM::FIRST;
  static constexpr int MEMORY = LSTM::MEMORY + 2, BESIDE = HIDDEN, CROSSED = 0;
  static constexpr long scratch(long steps) { return Memory::scratch(steps); }
  static constexpr bool OUTPUTS_FILTERED = false;
  static constexpr Real EPSILON = 1e-7;  // as in sab.py
  Real unused;
  const Real *alignment;

  LSTM base() const { return {Real(0), nullptr}; }

  static Memory memory(const Step &at) { return {at, at.t / STORE_EVERY, at.previous, at.first + LSTM::FIRST}; }

  // a and what the way back needs of the choice. That e_(k+1) is one of several equal ones changes no a.
  static void choose(const Step &at, const Memory &held) {
    const long limit = std::min<long>(TOP_K, held.count - 1);
    Lanes &total = at.memory[LSTM::MEMORY], &last = at.memory[LSTM::MEMORY + 1];
    for (int v = 0; v < VECTORS; v++) {
      Vector largest[TOP_K + 1], least = {}, sum = {};
      for (Vector &each : largest) each = Vector{} - std::numeric_limits<Real>::infinity();
      for (long i = 0; i < held.count; i++) {
        Vector score = held.weights[i].part[v];
        for (Vector &each : largest) {
          const Vector lower = score > each ? each : score;
          each = score > each ? score : each;
          score = lower;
        }
      }
      for (long i = 0; i < held.count; i++) {
        Vector &weight = held.weights[i].part[v];
        least = weight == largest[limit] ? Vector{} + Real(i) : least;
        weight = weight > largest[limit] ? weight - largest[limit] : Vector{};
        sum += weight;
      }
      sum += EPSILON;
      for (long i = 0; i < held.count; i++) held.weights[i].part[v] /= sum;
      total.part[v] = sum, last.part[v] = least;
    }
  }

  void between(const Step &at) const { base().forward(of_base(at)); }

  void forward(const Step &at) const {
    const Memory held = memory(at);
    held.begin();
    score(held, at.second, alignment);
    choose(at, held);
    average(held, at.next);
    add(at.next, at.filtered);
  }

  // From the gradients at w_i to those at e_i, in their place: a_i falls with e_(k+1) as it rises with e_i.
  static void choose_backward(const Step &at, const Memory &held) {
    for (int v = 0; v < VECTORS; v++) {
      const Vector total = at.memory[LSTM::MEMORY].part[v], last = at.memory[LSTM::MEMORY + 1].part[v];
      const Vector mean = mean_gradient(held, v);
      Vector sum = {};
      for (long i = 0; i < held.count; i++) {
        Vector &weight = held.weights[i].part[v];
        weight = weight > 0 ? (held.at_weights[i].part[v] - mean) / total : Vector{};
        sum += weight;
      }
      for (int lane = 0; lane < WIDTH; lane++) held.weights[long(last[lane])].part[v][lane] -= sum[lane];
    }
  }

  void backward(const Step &at, const Gradient &gradient) const {
    const Memory held = memory(at);
    average_backward(held, gradient.carried);
    choose_backward(at, held);
    score_backward(held, at.second, alignment, gradient.second, gradient.beside);
  }

  // δ of the LSTM and of the key of h_{t-1}, which the gradient at that memory passes by.
  void between_backward(const Step &at, const Gradient &gradient) const {
    add(gradient.carried, gradient.returned);
    base().backward(of_base(at), gradient);
    if (at.detached) std::memset(gradient.memory, 0, sizeof(Lanes) * HIDDEN);
    const Lanes *by_memory = memory(at).release(gradient.first + LSTM::FIRST);
    std::memcpy(gradient.carried, by_memory, sizeof(Lanes) * HIDDEN);
  }
};
