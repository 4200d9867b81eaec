"""Settings of proximal policy optimisation, which the workflow checks before anything is computed."""

from dataclasses import dataclass

from learnability.core.errors import require


@dataclass(frozen=True)
class PPOSettings:
    """Defaults are those of `torch-ac` and `rl-starter-files` (Willems, github.com/lcswillems).

    Args:
        environments: side by side.
        steps: of each environment in a rollout.
        truncation: steps over which gradients go back, those of a segment of the rollout. There it is 4, and fewer
            steps than a memory has to be learned over.
        segments: of a mini-batch, drawn from the rollout; the last mini-batch of a pass may have fewer. There sequences
            of single environments are drawn.
        epochs: passes over a rollout.
        discount: γ.
        trace: λ of the advantages.
        clip: ε of ratios, and of changes of the value.
        entropy, value: what these parts of the loss count.
        gradient_clip: largest global L2 norm of the gradient.
        standardize: whether the advantages of a mini-batch are taken to mean 0 and standard deviation 1, so that the
            size of rewards does not matter to the policy. There they are not.
        decay: whether the learning rate falls linearly over rollouts, to 0 behind the last. There it does not.
    """

    environments: int = 16
    steps: int = 128
    truncation: int = 32
    segments: int = 1
    epochs: int = 4
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    gradient_clip: float = 0.5
    standardize: bool = False
    decay: bool = False

    def __post_init__(self) -> None:
        for key in ("environments", "steps", "truncation", "segments", "epochs"):
            require(getattr(self, key) >= 1, key, "at least 1", getattr(self, key))
        for key in ("discount", "trace"):
            require(0 <= getattr(self, key) <= 1, key, "in [0, 1]", getattr(self, key))
        for key in ("clip", "gradient_clip"):
            require(getattr(self, key) > 0, key, "positive", getattr(self, key))
        for key in ("entropy", "value"):
            require(getattr(self, key) >= 0, key, "at least 0", getattr(self, key))
        count = -(-self.steps // self.truncation)
        require(self.segments <= count, "segments", f"at most the segments of a rollout ({count})", self.segments)
        alone = 1 in (self.segments, count % self.segments)
        single = self.environments == 1 and alone and 1 in (self.truncation, self.steps % self.truncation)
        require(
            not (self.standardize and single), "standardize", "off where a mini-batch is one step", self.standardize
        )

    @property
    def frames(self) -> int:
        """Frames of a rollout."""
        return self.environments * self.steps
