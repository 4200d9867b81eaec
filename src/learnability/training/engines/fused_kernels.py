"""Triton kernels of the `cuda` engine: a leaky cell over all time steps, forward and back, one launch each.

One program carries ROWS sequences of one model through time, the recurrent weights held on chip. Arrays are contiguous:
states (model, time + 1, sequence, H); projections, activations and deltas (model, time, sequence, G) with the
candidate's H columns before the gate's 0, 1 or H; weights (model, G, H). WIDTH is the power of two that holds H; what
is beyond H or the last sequence is masked. All arithmetic is float32, matrix products included.

With `TRITON_INTERPRET=1` set before this module is imported, the kernels run on the CPU, slowly.
"""

import triton
import triton.language as tl

INTERPRETED: bool = triton.knobs.runtime.interpret
ROWS = 16
"""Sequences in a program: the least that Triton's matrix product takes."""


@triton.jit
def forward(
    projections,
    activations,
    states,
    weights,
    gate_value,
    sequences,
    time,
    HIDDEN: tl.constexpr,
    GATES: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
):
    """[g_t; s_t] into `activations` and h_t into `states`, from W x_t + b in `projections`; h_0 = 0."""
    model = tl.program_id(0).to(tl.int64)
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    unit = tl.arange(0, WIDTH)
    valid = row < sequences
    inside = valid[:, None] & (unit < HIDDEN)[None, :]
    square = (unit < HIDDEN)[:, None] & (unit < HIDDEN)[None, :]
    weights += model * (HIDDEN + GATES) * HIDDEN
    transpose = unit[None, :] * HIDDEN + unit[:, None]
    u_h = tl.load(weights + transpose, square, 0.0)
    if GATES > 1:
        u_s = tl.load(weights + HIDDEN * HIDDEN + transpose, square, 0.0)
    elif GATES == 1:
        u_s = tl.load(weights + HIDDEN * HIDDEN + unit, unit < HIDDEN, 0.0)
    at = model * time * sequences * (HIDDEN + GATES) + row[:, None] * (HIDDEN + GATES) + unit[None, :]
    gate_at = model * time * sequences * (HIDDEN + GATES) + row * (HIDDEN + GATES) + HIDDEN
    state_at = model * (time + 1) * sequences * HIDDEN + row[:, None] * HIDDEN + unit[None, :]
    h = tl.zeros((ROWS, WIDTH), tl.float32)
    tl.store(states + state_at, h, inside)
    for _ in range(time):
        g = tl.dot(h, u_h, tl.load(projections + at, inside, 0.0), input_precision="ieee")
        g = 2 * tl.sigmoid(2 * g) - 1  # tanh
        tl.store(activations + at, g, inside)
        if GATES > 1:
            s = tl.dot(h, u_s, tl.load(projections + at + HIDDEN, inside, 0.0), input_precision="ieee")
            s = tl.sigmoid(s)
            tl.store(activations + at + HIDDEN, s, inside)
            h += s * (g - h)
        elif GATES == 1:
            s = tl.sigmoid(tl.sum(h * u_s[None, :], 1) + tl.load(projections + gate_at, valid, 0.0))
            tl.store(activations + gate_at, s, valid)
            h += s[:, None] * (g - h)
        else:
            h += gate_value * (g - h)
        at += sequences * (HIDDEN + GATES)
        gate_at += sequences * (HIDDEN + GATES)
        state_at += sequences * HIDDEN
        tl.store(states + state_at, h, inside)


@triton.jit
def backward(
    activations,
    deltas,
    states,
    output_gradient,
    weights,
    readout,
    gate_value,
    sequences,
    time,
    HIDDEN: tl.constexpr,
    GATES: tl.constexpr,
    WIDTH: tl.constexpr,
    ROWS: tl.constexpr,
):
    """[∂L/∂a^h_t; ∂L/∂a^s_t] into `deltas`, from t = T to 1, with ∂L/∂ŷ_t in `output_gradient`."""
    model = tl.program_id(0).to(tl.int64)
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    unit = tl.arange(0, WIDTH)
    valid = row < sequences
    inside = valid[:, None] & (unit < HIDDEN)[None, :]
    square = (unit < HIDDEN)[:, None] & (unit < HIDDEN)[None, :]
    weights += model * (HIDDEN + GATES) * HIDDEN
    straight = unit[:, None] * HIDDEN + unit[None, :]
    u_h = tl.load(weights + straight, square, 0.0)
    if GATES > 1:
        u_s = tl.load(weights + HIDDEN * HIDDEN + straight, square, 0.0)
    elif GATES == 1:
        u_s = tl.load(weights + HIDDEN * HIDDEN + unit, unit < HIDDEN, 0.0)
    w = tl.load(readout + model * HIDDEN + unit, unit < HIDDEN, 0.0)
    last = (model * time + time - 1) * sequences
    at = last * (HIDDEN + GATES) + row[:, None] * (HIDDEN + GATES) + unit[None, :]
    gate_at = last * (HIDDEN + GATES) + row * (HIDDEN + GATES) + HIDDEN
    output_at = last + row
    previous_at = (model * (time + 1) + time - 1) * sequences * HIDDEN + row[:, None] * HIDDEN + unit[None, :]
    carry = tl.zeros((ROWS, WIDTH), tl.float32)
    for _ in range(time):
        total = carry + tl.load(output_gradient + output_at, valid, 0.0)[:, None] * w[None, :]
        g = tl.load(activations + at, inside, 0.0)
        if GATES > 1:
            s = tl.load(activations + at + HIDDEN, inside, 0.0)
            h = tl.load(states + previous_at, inside, 0.0)
            to_gate = total * (g - h) * s * (1 - s)
            tl.store(deltas + at + HIDDEN, to_gate, inside)
            carry = tl.dot(to_gate, u_s, total * (1 - s), input_precision="ieee")
        elif GATES == 1:
            s = tl.load(activations + gate_at, valid, 0.0)
            h = tl.load(states + previous_at, inside, 0.0)
            to_gate = tl.sum(total * (g - h), 1) * s * (1 - s)
            tl.store(deltas + gate_at, to_gate, valid)
            s = s[:, None]
            carry = total * (1 - s) + to_gate[:, None] * u_s[None, :]
        else:
            s = gate_value
            carry = total * (1 - s)
        to_candidate = total * s * (1 - g * g)
        tl.store(deltas + at, to_candidate, inside)
        carry = tl.dot(to_candidate, u_h, carry, input_precision="ieee")
        at -= sequences * (HIDDEN + GATES)
        gate_at -= sequences * (HIDDEN + GATES)
        output_at -= sequences
        previous_at -= sequences * HIDDEN
