"""Stands for certifi: certificates are checked by the host, with the authorities that it trusts."""

__all__ = ["contents", "where"]
__version__ = "0"


def where():
    """Returns a path that is there; nothing reads what is in it."""
    return "/usr/local/lib/python-web.zip"


def contents():
    return ""
