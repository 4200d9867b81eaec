"""Records of a job: its settings in its files; and beside its log its files, host and versions."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any


def last_words(error: Exception) -> str:
    """Return the line of an error that a user can act on, such as a lack of memory; raise any other error again."""
    from learnability.core.errors import LearnabilityError

    if isinstance(error, LearnabilityError):
        return f"{type(error).__name__}: {error}"
    words = " ".join(str(error).lower().split())[:200]  # of torch, numpy or Python itself
    if isinstance(error, MemoryError) or re.search("out of memory|allocate memory", words):
        return (
            f"OutOfMemory: this job needs more memory than there is: smaller sizes, or fewer jobs at a time ({words})."
        )
    raise error


def settings_of(snakemake: Any) -> dict[str, Any]:
    """The settings of the job, as an attribute of what it writes."""
    return {name: value for name, value in snakemake.params.items() if name not in ("by", "library")}


def write_provenance(snakemake: Any) -> None:
    """Write files, rule, digest of the settings, host, versions and time beside the log of a job that ends."""
    # here, for a module that takes `settings_of` alone needs neither
    from learnability.core.provenance import provenance
    from learnability.core.store import write_json

    settings = json.dumps(settings_of(snakemake), sort_keys=True, default=list).encode()
    record = {"files": list(snakemake.output), "rule": snakemake.rule}
    record |= {"settings": hashlib.sha256(settings).hexdigest()[:16], "library": snakemake.params.library}
    write_json(provenance() | record, Path(snakemake.log[0]).with_suffix(".provenance.json"))
