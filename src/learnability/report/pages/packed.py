"""Contents of a page in less room: libraries and data compressed, pictures in few colours."""

import gzip
from base64 import b64encode
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from io import BytesIO

import numpy as np
import vl_convert
from itables.utils import read_package_file
from PIL import Image

from learnability.core.errors import LearnabilityError
from learnability.core.store import cache_folder, is_own_file, private_folder, writing

COLOURS, NEAR = (12, 16, 20, 24, 28, 32, 48, 64, 96, 128, 192, 256), 10
"""Colours of a picture in a page: the fewest with which 99 % of it, squares of four pixels a side seen as one, lies
within so many of 255 levels of the figure: lines and text take few, the shades of a colour bar more."""
SAMPLE = 4096
"""Squares of a picture by which its few colours are chosen: each colour has its share, and at least one."""


def packed(name: str, text: str) -> str:
    """A text as an element of a page, for its script to unpack."""
    content = b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    return f'<script type="application/gzip" id="packed-{name}">{content}</script>'


@cache
def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed, packed; kept for other processes, because bundling takes seconds."""
    with suppress(LearnabilityError):  # where nothing can be kept, a page takes longer
        path = private_folder(cache_folder() / "pages") / f"vega-{version('vl-convert-python')}.html"
        if not (path.exists() and is_own_file(path)):
            with writing(path) as temporary:
                temporary.write_text(_bundled(), encoding="utf-8")
        return path.read_text(encoding="utf-8")
    return _bundled()


def _bundled() -> str:
    return packed("vega", str(vl_convert.javascript_bundle()))  # type: ignore[call-arg]  # its stub forgets the default


@cache
def datatables() -> str:
    """DataTables, as it comes with itables: script and style, packed."""
    script, style = (read_package_file("html", f"dt_bundle.{kind}") for kind in ("js", "css"))
    return f"{packed('datatables', script)}\n{packed('datatables-style', style)}"


def picture(png: bytes) -> tuple[str, int, int]:
    """A PNG as an address with all its content, its width and height."""
    with Image.open(BytesIO(png)) as file:
        index_image = file if file.mode == "P" else file.convert("RGB").quantize(dither=Image.Dither.NONE)
        places, palette = (
            np.asarray(index_image),
            np.reshape(index_image.getpalette("RGB") or [], (-1, 3)).astype(np.uint8),
        )
    original = _recolour(index_image, palette).reduce(4)
    shares = np.bincount(places.ravel(), minlength=len(palette)) / places.size
    sample = np.repeat(np.arange(len(palette)), np.ceil(shares * SAMPLE).astype(int))  # of every colour that occurs
    for colours in COLOURS:
        fewer = Image.fromarray(palette[None, sample]).quantize(colours, Image.Quantize.MAXCOVERAGE, 1)
        new_palette = palette.copy()
        new_palette[sample] = np.asarray(fewer.convert("RGB"))[0]
        result = _recolour(index_image, new_palette)
        difference = np.subtract(*(np.asarray(image, float) for image in (original, result.reduce(4))))
        if np.percentile(np.abs(difference).max(axis=-1), 99) <= NEAR:
            break
    buffer = BytesIO()
    # less effort than the most, not another picture: 2 % more bytes in a third of the time
    result.save(buffer, "WEBP", lossless=True, quality=25, method=3)
    return f"data:image/webp;base64,{b64encode(buffer.getvalue()).decode()}", *result.size


def _recolour(index_image: Image.Image, palette: np.ndarray) -> Image.Image:
    """A picture of indices by another palette."""
    result = index_image.copy()
    result.putpalette(palette.tobytes())
    return result.convert("RGB")
