"""Settings of Sec. 8.1: what they must be, beside the schema."""

from learnability.core.errors import InputError, require
from learnability.tasks import build_task
from studies.gated.settings import Settings, check_increasing


def check(key: str, own: Settings, config: Settings) -> None:
    """Raise `InputError` for a setting that the exhibit cannot be made with."""
    sizes, count, updates = own["batch_sizes"], own["sequences"], own["updates"]
    fits = all(count % size == 0 for size in sizes) and sizes[-1] == count
    require(fits, f"{key}.batch_sizes", f"divisors of the {count} sequences, all of them last", sizes)
    fits = all(updates * size % count == 0 for size in sizes)
    require(fits, f"{key}.updates", f"a multiple of {count // min(sizes)}, those of an epoch at most", updates)
    check_increasing(f"{key}.batch_sizes", sizes)
    try:
        build_task({"name": "delayed_sum", **own["task"]}, config["root_seed"], 0)
    except InputError as error:
        raise InputError(f"{key}: {error}") from error
