"""C++ beside the library: compiled at first use for this processor, then cached."""

import ctypes
import hashlib
import platform
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from learnability.core.errors import InputError
from learnability.core.store import cache_folder, writing

COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-Wno-psabi")


def find_compiler() -> str | None:
    """Path of a C++ compiler, or None."""
    return next(filter(None, map(shutil.which, COMPILERS)), None)


@cache
def load(source: Path, **constants: int | str) -> ctypes.CDLL:
    """The library of a C++ source with `constants` defined: from the cache, or compiled in about a second.

    The cache's key is the source with its headers, the flags, the compiler's version and the processor's features. Its
    place is `cache_folder()`.

    Raises:
        InputError: without a compiler, or if it fails.
    """
    compiler = find_compiler()
    if compiler is None:
        raise InputError(f"engine 'native' needs a C++ compiler ({', '.join(COMPILERS)}); use engine 'torch'.")
    flags = [*FLAGS, *(f"-D{name}={value}" for name, value in constants.items())]
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    key = "\0".join([_text(source), *flags, version, _processor()])
    path = cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.so"
    if not path.exists():
        with writing(path) as temporary:
            command = [compiler, *flags, str(source), "-o", str(temporary)]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode:
                raise InputError(f"engine 'native' did not compile with {compiler}: {result.stderr.strip()}")
    return ctypes.CDLL(str(path))


def _text(source: Path) -> str:
    """A source and the headers that it includes by `"…"`, each after what includes it."""
    text = source.read_text(encoding="utf-8")
    return text + "".join(_text(source.parent / name) for name in re.findall(r'^#include "(.+)"', text, re.MULTILINE))


def _processor() -> str:
    """What `-march=native` depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line for line in lines if line.startswith(("flags", "Features"))), platform.processor())
