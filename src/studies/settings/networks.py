"""Networks, their cells and starts, and optimisers."""

from typing import Annotated, Literal

from pydantic import Field

from studies.settings.sections import (
    NOT_GIVEN,
    Between,
    Count,
    Draw,
    Fraction,
    NameOrClass,
    NotNegative,
    OpenSection,
    Positive,
    Probability,
    Section,
    Share,
    SmallDraw,
    Whole,
)


class Network(Section):
    """Sizes shared by all architectures."""

    hidden_size: Count = NOT_GIVEN
    """H, hidden units (Sec. 6.1: 64)."""
    parameters: Count = NOT_GIVEN
    """Largest number of parameters, in place of `hidden_size` in an experiment: each network is the largest that has no
    more."""
    readout_bias: bool
    """Add a bias to ŷ_t = wᵀh_t; the paper has none, the author's code does."""


class Start(Section):
    """Start of parameters, by role, where not as the cell has it; for networks of the families of `rnn` and `lstm`.

    `xavier`, `kaiming` and `linear` are as in torch, the last as torch.nn.Linear starts; `units` as torch.nn.LSTMCell
    does, and `hundredth` is normal with that deviation.
    """

    input: Draw = NOT_GIVEN
    """W of a cell without gates."""
    recurrent: Literal["turns", "half_turns"] = NOT_GIVEN
    """U of a cell without gates: exp(A) that rotates pairs of units by angles uniform in (-π, π), or in (-π, 0)."""
    gates: Draw = NOT_GIVEN
    """[U W] of each gate of an LSTM and of its candidate, drawn as one matrix."""
    bias: SmallDraw = NOT_GIVEN
    """b of either."""
    modrelu: SmallDraw = NOT_GIVEN
    """m of modReLU; `small` is uniform within ±0.01."""
    alignment: Draw = NOT_GIVEN
    """W_a and U_a of attention."""
    alignment_vector: Draw = NOT_GIVEN
    """v_a."""
    readout: Draw = NOT_GIVEN
    """w."""
    readout_bias: SmallDraw = NOT_GIVEN
    """b."""


class Architecture(OpenSection):
    """A cell and its settings."""

    cell: NameOrClass
    """`const_gate`, `shared_gate`, `diag_gate`, `lstm`, `gru`; `rnn`, `orth_rnn`, `exp_rnn`, `goru`, `identity_rnn`,
    `forget_rnn`; trained by the engine `autograd` alone, `irnn`, `chrono_lstm`, `min_gru`, `min_lstm`, `lru`, `s4d`,
    `mamba`, `slstm`, `mlstm`, `lmu`, `cornn`, `cfc`; with a memory of past states, and measured along their own
    gradient alone, `mem_rnn`, `mem_lstm`, `rel_rnn`, `rel_lstm`, `sab`; or a class of your own as
    `package.module:Name`, whose fields are then its settings."""
    gate_value: Share = NOT_GIVEN
    """`const_gate`: s. The paper does not print it; 0.7 gives its τ_env of 0.85."""
    gate_init: Between = NOT_GIVEN
    """The share of memory overwritten at the start (Sec. 6.1: 1/2): s of `shared_gate` and `diag_gate`, z of `gru` and
    `goru`, i and 1 - f of `lstm`, `mem_lstm`, `rel_lstm` and `sab`, 1 - f of `forget_rnn`; o and the r of `gru` start
    at 1/2. `chrono_lstm`: o, by default 1/2."""
    layer_norm: bool = NOT_GIVEN
    """`const_gate`, `shared_gate`, `diag_gate`: normalise the candidate's pre-activation over units, with gain and
    offset, as the author's code can; trained by the engines `native` and `autograd`. Default false."""
    longest: Annotated[int, Field(ge=3)] = NOT_GIVEN
    """`chrono_lstm`: T_max, steps of the longest dependency, over which gates start to forget. `lmu`: θ, steps that the
    memory spans. Default 100."""
    r_min: Probability = NOT_GIVEN
    """`lru`: least |λ| at the start. Default 0."""
    r_max: Share = NOT_GIVEN
    """`lru`: largest |λ| at the start. Default 1."""
    max_phase: Annotated[float, Field(gt=0, le=6.283185307179586)] = NOT_GIVEN
    """`lru`: largest phase of λ at the start, in radians. Default 2π."""
    modes: Count = NOT_GIVEN
    """`s4d` (default 32), `mamba` (default 16): numbers that each unit remembers, complex ones of `s4d`."""
    order: Count = NOT_GIVEN
    """`lmu`: d, numbers of the memory. Default 32."""
    time_step: Positive = NOT_GIVEN
    """`cornn`: Δt. Default 0.042."""
    stiffness: Positive = NOT_GIVEN
    """`cornn`: γ. Default 2.7."""
    damping: Positive = NOT_GIVEN
    """`cornn`: ε. Default 4.7."""
    backbone: Count = NOT_GIVEN
    """`cfc`: units of the backbone. Default 64."""
    embedding: bool = NOT_GIVEN
    """`mlstm`: whether inputs are projected to H numbers first. Default false."""
    h_detach: Fraction = NOT_GIVEN
    """`lstm`, `chrono_lstm`: p, with which each step of training blocks the gradient through h; trained by the engines
    `native` and `autograd`. Default 0."""
    gates: Literal["", "i", "f", "o", "if", "io", "fo", "ifo"] = NOT_GIVEN
    """`lstm`, `chrono_lstm`: which of input, forget and output gate it has; one that it lacks is 1. Trained by the
    engines `native` and `autograd`. Default ifo."""
    nonlinearity: Literal["tanh", "modrelu"] = NOT_GIVEN
    """`rnn`, `mem_rnn`, `rel_rnn` (default tanh), `orth_rnn`, `exp_rnn` (default modrelu): φ."""
    mix: Literal["sum", "mean"] = NOT_GIVEN
    """`mem_rnn`, `mem_lstm`, `rel_rnn`, `rel_lstm`: s, `sum` h + c (the text, default) or `mean` (h + c)/2 (the
    authors' code)."""
    attends_to_current: bool = NOT_GIVEN
    """The same cells: whether h_t is among the states that step t attends to. Default true."""
    readout_from: Literal["h", "s", "both"] = NOT_GIVEN
    """The same cells: what predictions are read from, h (the authors' code, default) or s (Algorithm 1). `sab`: h
    (default), or both h and what is recalled (the authors' code)."""
    short_term: Count = NOT_GIVEN
    """`rel_rnn`, `rel_lstm`: ν, states of the short-term buffer. Default 10."""
    relevant: Whole = NOT_GIVEN
    """`rel_rnn`, `rel_lstm`: ρ, states of the relevant set; 0 for attention to the short-term buffer alone. Default 10.
    """
    top_k: Count = NOT_GIVEN
    """`sab`: stored states that a step attends to. Default 10."""
    truncation: Whole = NOT_GIVEN
    """`sab`: steps that the recurrence sends a gradient back at most; 0 for all. Default 10."""
    store_every: Count = NOT_GIVEN
    """`sab`: every n-th state is stored. Default 2."""
    layers: Count = NOT_GIVEN
    """Number of stacked layers of the cell, each on the hidden units of that below; for cells without attention,
    trained by the engine `autograd`. Default 1."""
    dropout: Probability = NOT_GIVEN
    """Every cell with recurrent matrices: p, with which training drops each hidden unit at each step where these
    matrices see it; this and the next four are trained by the engine `autograd`, and 0 where they are not given."""
    variational_dropout: Probability = NOT_GIVEN
    """The same with one mask for all steps of a sequence (Gal and Ghahramani 2016)."""
    drop_connect: Probability = NOT_GIVEN
    """p, with which training drops each recurrent weight, once a batch (Merity et al. 2018)."""
    activity_regularization: NotNegative = NOT_GIVEN
    """α of α ⟨‖M ⊙ h_t‖²⟩, which training adds to the loss, M the units that dropout leaves (Merity et al. 2017)."""
    temporal_regularization: NotNegative = NOT_GIVEN
    """β of β ⟨‖h_t - h_{t+1}‖²⟩, which training adds to the loss (Merity et al. 2017)."""
    readout_bias: bool = NOT_GIVEN
    """Value for this architecture in place of `network.readout_bias`."""
    start: Start = NOT_GIVEN
    """Start of parameters, by role, where not as the cell has it; for networks of the families of `rnn` and `lstm`.
    `xavier`, `kaiming` and `linear` are as in torch, the last as torch.nn.Linear starts; `units` as torch.nn.LSTMCell
    does, and `hundredth` is normal with that deviation."""


class Optimizer(Section):
    """A method and its settings."""

    method: Literal["adam", "adamw", "rmsprop", "sgd"]
    """Name of the method, as in torch; base rates of `sgd` mean something else than rates of the others, which divide
    by the size of past gradients."""
    learning_rate: Annotated[float, Field(gt=0, le=1e38)]
    """μ, the base rate (Sec. 6.1: 0.001 for AdamW; not printed for SGD)."""
    orthogonal_learning_rate: Annotated[float, Field(gt=0, le=1e38)] = NOT_GIVEN
    """Learning rate of the parameters of a matrix that stays orthogonal (`exp_rnn`, `goru`), in place of
    `learning_rate`."""
    weight_decay: NotNegative = NOT_GIVEN
    """λ (Sec. 6.1: 0.0001 for AdamW)."""
    momentum: Probability = NOT_GIVEN
    """Momentum of `sgd`; not printed in the paper."""
