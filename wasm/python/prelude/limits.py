"""What the host lets this sandbox use, as far as a reader should hear of it."""

import errno


class _Given:
    file_bytes = None


def begin(header):
    """Takes the limits of a turn from its header."""
    count = header.get("file_bytes")
    _Given.file_bytes = count if isinstance(count, int) else None


def hints(error):
    """Returns what to do about an OSError that a limit caused."""
    if error.errno != errno.ENOSPC or _Given.file_bytes is None:
        return []
    return [f"The files of a sandbox may hold {_Given.file_bytes:,} bytes together (--file-bytes): remove some, compress, or write less."]
