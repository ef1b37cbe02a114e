"""Checks on a published picture before it is taken into a dataset."""

import io
import warnings
from pathlib import PurePosixPath

from PIL import Image

MAX_BYTES = 32 << 20
MAX_PIXELS = 40_000_000

_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}


def picture_problem(name: str, data: bytes) -> str | None:
    """Decode a picture and say what is wrong with it, if anything.

    Args:
        name: Its file name, whose ending tells what it must be (PNG or JPEG).
        data: Its bytes.

    Returns:
        None if the picture is whole, of its type and within the bounds.
    """
    expected = _FORMATS.get(PurePosixPath(name).suffix.lower())
    if expected is None:
        return "the image's name ends in none of " + ", ".join(_FORMATS)
    if len(data) > MAX_BYTES:
        return f"the image file is larger than {MAX_BYTES >> 20} MiB"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data))
            if picture.format != expected:
                return f"the image is {picture.format}, not {expected} as its name says"
            if picture.width * picture.height > MAX_PIXELS:
                return f"the image has more than {MAX_PIXELS // 1_000_000} megapixels"
            picture.load()
            # Loading stops at the last pixel; verifying reads all checksums to the end.
            Image.open(io.BytesIO(data)).verify()
    except Image.DecompressionBombError:
        return f"the image has more than {MAX_PIXELS // 1_000_000} megapixels"
    # Pillow's decoders raise many kinds of errors on damaged files.
    except Exception:
        return "the image cannot be decoded"
    return None
