"""Files from elsewhere: a path or a URL, and the checksum that says which file is meant."""

import hashlib
import logging
import os
import time
from concurrent.futures import Future
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from threading import Thread
from typing import NamedTuple
from urllib.parse import urlparse
from urllib.request import urlopen

from learnability.core.errors import InputError, in_one_line, require
from learnability.core.store import cache_folder, reading, writing

log = logging.getLogger(__name__)

SECONDS = 60
"""Silence after which a server counts as out of reach."""
SECONDS_IN_ALL = 1800
"""Limit of a whole download: a server may send a byte now and then for ever."""
LARGEST = 4 * 2**30
"""Bytes of a file: it is held in memory, and networks are trained on it there."""
CHUNK = 2**20
NAME = 100
"""Characters of a URL's file that its name in the cache keeps."""


class Kind(NamedTuple):
    """A kind of file: its name in a message, and the bytes that such files begin with."""

    name: str
    begins: bytes


ANY_FILE = Kind("a file", b"")


def fetch(source: str, sha256: str, kind: Kind = ANY_FILE) -> Path:
    """The file at a path, or behind a URL; what a URL gives is kept in `cache_folder()` and not asked for again.

    Args:
        source: a path or a URL.
        sha256: its checksum, 64 hexadecimal digits.
        kind: of file that it must be; one that begins otherwise is refused without reading on.

    Raises:
        InputError: for a file that is not there or is another, or a URL that is out of reach. Nothing is kept then.
    """
    if "://" in source:
        check_url(repr(source)[1:-1], source)  # on one line
        path = cache_folder() / f"{sha256[:24]}.{PurePosixPath(urlparse(source).path).name[-NAME:]}"
        if not path.exists():
            _download(source, sha256, kind, path)
    else:
        path = Path(os.path.expanduser(source))
    with reading(path, "a file that can be read"), path.open("rb") as file:
        _check_size(str(path), path.stat().st_size)
        _check_begin(str(path), file.read(len(kind.begins)), kind)
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    _check(str(path), digest, sha256)
    return path


def check_url(key: str, url: str) -> None:
    """Raise `InputError`, about a key, unless a text is a URL."""
    try:
        parts = urlparse(url)
        is_right = bool(parts.scheme) and (parts.port is None or parts.port > 0) and url.isprintable()
    except ValueError:
        is_right = False
    require(is_right, key, "a URL", url)


def _download(url: str, sha256: str, kind: Kind, path: Path) -> None:
    """Put the content of a URL at a path, if its digest is right.

    In a thread of its own, for a server that trickles is never silent for long, be it before its first byte.
    """
    log.info("Fetching %s.", url)
    future: Future[bytes] = Future()
    deadline = time.monotonic() + SECONDS_IN_ALL

    def run() -> None:
        try:
            future.set_result(_read(url, kind, deadline))
        except Exception as error:  # it is raised where the result is asked for
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    try:
        content = future.result(SECONDS_IN_ALL)
    except InputError:
        raise
    except (OSError, ValueError, HTTPException) as error:  # offline, no such host or file, no such scheme, cut short
        late = f"no end of it within {SECONDS_IN_ALL} s" if isinstance(error, TimeoutError) else ""
        requirement = "a URL within reach; where there is no network, give the path of the file"
        raise InputError(f"'{url}' must be {requirement}. Got {late or in_one_line(error)}.") from error
    _check(url, hashlib.sha256(content).hexdigest(), sha256)
    with writing(path) as temporary:
        temporary.write_bytes(content)


def _read(url: str, kind: Kind, deadline: float) -> bytes:
    """The content of a URL. A file that is too large, or begins otherwise, is refused before the rest is read."""
    with urlopen(url, timeout=SECONDS) as answer:
        length = answer.headers.get("Content-Length") or ""
        _check_size(url, int(length) if length.isdecimal() else 0)
        content = bytearray()
        read = getattr(answer, "read1", answer.read)  # what has come, not what was asked for
        while chunk := read(CHUNK):
            content += chunk
            _check_size(url, len(content))
            if len(content) >= len(kind.begins):
                _check_begin(url, bytes(content[: len(kind.begins)]), kind)
            if time.monotonic() > deadline:
                raise TimeoutError
        _check_begin(url, bytes(content[: len(kind.begins)]), kind)
        expected = int(length) if length.isdecimal() else len(content)
        if len(content) < expected:
            raise HTTPException(f"{len(content)} bytes of {expected}")
        return bytes(content)


def _check_size(name: str, size: int) -> None:
    require(size <= LARGEST, name, f"a file of at most {LARGEST / 2**30:g} GiB", f"{size / 2**30:.1f} GiB")


def _check_begin(name: str, start: bytes, kind: Kind) -> None:
    require(start == kind.begins, name, f"{kind.name}, which begins with {kind.begins!r}", start)


def _check(name: str, digest: str, sha256: str) -> None:
    require(digest == sha256.lower(), name, f"the file with SHA-256 {sha256}", digest)
