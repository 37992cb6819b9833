"""The network, which is not there: each way to it says so."""

import errno
import sys
import time

from _belljar.hooks import after_import

NO_NETWORK = "there is no network here: pass the data in the code or as files"


def install():
    """Adds what C libraries of this platform lack, once."""
    time.tzset = lambda: None


@after_import("socket")
def _adapt_socket(socket):
    def refuse_name(*args, **kwargs):
        raise socket.gaierror(getattr(socket, "EAI_FAIL", -4), NO_NETWORK)

    def init(self, *args, **kwargs):
        raise OSError(errno.ENOTSUP, NO_NETWORK)

    low = sys.modules["_socket"]
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        if not hasattr(low, name):
            setattr(low, name, refuse_name)
            setattr(socket, name, refuse_name)
    socket.socket.__init__ = init
    socket.socketpair = init
    socket.gethostname = lambda: "belljar"


@after_import("urllib.request")
def _adapt_urllib(request):
    unknown = request.UnknownHandler.unknown_open

    def unknown_open(self, req):
        if req.type in ("https", "ftp", "ftps"):
            raise request.URLError(NO_NETWORK)
        return unknown(self, req)

    request.UnknownHandler.unknown_open = unknown_open
