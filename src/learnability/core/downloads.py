"""Files from elsewhere: a path or a URL, and the checksum that says which file is meant."""

import hashlib
import logging
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from urllib.parse import urlparse
from urllib.request import urlopen

from learnability.core.errors import InputError, in_one_line, require
from learnability.core.store import cache_folder, reading, writing

log = logging.getLogger(__name__)

SECONDS = 60
"""Without a word from a server, after which it counts as out of reach."""


def fetch(source: str, sha256: str) -> Path:
    """The file at a path, or behind a URL; what a URL gives is kept in `cache_folder()` and not asked for again.

    Args:
        source: a path or a URL.
        sha256: its checksum, 64 hexadecimal digits.

    Raises:
        InputError: for a file that is not there or is another, or a URL that is out of reach. Nothing is kept then.
    """
    path = Path(source).expanduser()
    if "://" in source:
        path = cache_folder() / f"{sha256[:24]}.{PurePosixPath(urlparse(source).path).name}"
        if not path.exists():
            _download(source, sha256, path)
    with reading(path, "a file that can be read"):
        content = path.read_bytes()
    _check(str(path), content, sha256)
    return path


def _download(url: str, sha256: str, path: Path) -> None:
    log.info("Fetching %s.", url)
    try:
        with urlopen(url, timeout=SECONDS) as answer:
            content = answer.read()
    except (OSError, ValueError, HTTPException) as error:  # offline, no such host or file, no such scheme, cut short
        requirement = "a URL within reach; where there is no network, give the path of the file"
        raise InputError(f"'{url}' must be {requirement}. Got {in_one_line(error)}.") from error
    _check(url, content, sha256)
    with writing(path) as temporary:
        temporary.write_bytes(content)


def _check(name: str, content: bytes, sha256: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    require(found == sha256.lower(), name, f"the file with SHA-256 {sha256}", found)
