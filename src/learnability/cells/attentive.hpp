// Cells of attentive.py, for training: -DMEAN (what f is), -DATTENDS_TO_CURRENT, -DREADS_MIXED (the readout sees s_t, not
// h_t), 0 or 1 each.

#pragma once

#ifndef MEAN
#define MEAN 0
#define ATTENDS_TO_CURRENT 1
#define READS_MIXED 0
#endif

// h_t by a `Base` cell in which s takes the place of h, and s_t = f(h_t, c_t):
//     c_t = Σ_i α_i h_i,      α = softmax(e),      e_i = vᵀ tanh(q_t + k_i),      q_t = W_a s_{t-1},      k_i = U_a h_i
// over the states of a `Memory`. Rows: [those of the base; q] and [k], of which `filtered` is h_t. Beside M: [v; what the
// base has]; memory: [of the base; of the memory].
template <typename Base, typename Memory>
struct Attending {
  static constexpr int FIRST = Base::FIRST + HIDDEN, SECOND = HIDDEN, DIAGONALS = 0, HELD = Base::HELD, DETACHED = 0;
  static constexpr int MEMORY = Base::MEMORY + Memory::MEMORY, BESIDE = HIDDEN + Base::BESIDE, CROSSED = 0;
  static constexpr long scratch(long steps) { return Memory::scratch(steps); }
  static constexpr bool OUTPUTS_FILTERED = !READS_MIXED;
  static constexpr Real MIX = MEAN ? 0.5 : 1;
  Real unused;
  const Real *alignment;

  Base base() const { return {Real(0), alignment + HIDDEN}; }

  static Memory memory(const Step &at) { return {at, at.memory + Base::MEMORY, at.t + ATTENDS_TO_CURRENT}; }

  void between(const Step &at) const { base().forward(of_base(at)); }

  void forward(const Step &at) const {
    const Memory held = memory(at);
    held.begin();
    if (ATTENDS_TO_CURRENT) held.write();
    score(held, at.first + Base::FIRST, alignment);
    softmax(held);
    held.gather();
    average(held, at.next);
    if (!ATTENDS_TO_CURRENT) held.write();
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) {
        Vector &s = at.next[unit].part[v];
        s = MIX * (at.filtered[unit].part[v] + s);
      }
  }

  // From the gradient at c_t, which is that at f, to those at q_t and in the memory.
  void attend_backward(const Step &at, const Memory &held, const Gradient &gradient) const {
    average_backward(held, gradient.carried);
    softmax_backward(held);
    score_backward(held, at.first + Base::FIRST, alignment, gradient.first + Base::FIRST, gradient.beside);
  }

  // δ^q, δ^k and, to be carried to `between_backward`, the gradient at h_t save what comes by k_t and the readout.
  void backward(const Step &at, const Gradient &gradient) const {
    const Memory held = memory(at);
    for (int unit = 0; unit < HIDDEN; unit++)
      for (int v = 0; v < VECTORS; v++) gradient.carried[unit].part[v] *= MIX;
    if (ATTENDS_TO_CURRENT) attend_backward(at, held, gradient);
    const Lanes *by_memory = held.release(gradient.second);
    if (!ATTENDS_TO_CURRENT) attend_backward(at, held, gradient);
    add(gradient.carried, by_memory);
  }

  void between_backward(const Step &at, Gradient gradient) const {
    add(gradient.carried, gradient.returned);
    gradient.beside += HIDDEN;
    base().backward(of_base(at), gradient);
  }
};

using MemRNN = Attending<RNN, Full>;
using MemLSTM = Attending<LSTM, Full>;
using RelRNN = Attending<RNN, Screened>;
using RelLSTM = Attending<LSTM, Screened>;
