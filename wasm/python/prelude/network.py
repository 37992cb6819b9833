"""The network: HTTP to hosts that the user allowed goes through the door; each other way says so."""

import errno
import sys
import time

from _belljar.hooks import after_import

WEB = "/usr/local/lib/python-web.zip"
_NO_SOCKETS = "there are no sockets here: use urllib.request, http.client or requests, for hosts that the user allowed"


def install():
    """Adds what C libraries of this platform lack, and puts in reach what speaks HTTP, once."""
    time.tzset = lambda: None
    # Before the standard library, whose ssl needs what is not here.
    sys.path.insert(0, WEB)


def _connect(address, timeout=None, *_, **__):
    """Stands for `socket.create_connection`, of the standard library and of urllib3; what speaks HTTP is loaded only now."""
    from _belljar_wire import connect

    return connect(address, timeout if isinstance(timeout, (int, float)) else sys.modules["socket"].getdefaulttimeout())


@after_import("socket")
def _adapt_socket(socket):
    def refuse_name(*args, **kwargs):
        raise socket.gaierror(getattr(socket, "EAI_FAIL", -4), _NO_SOCKETS)

    def init(self, *args, **kwargs):
        raise OSError(errno.ENOTSUP, _NO_SOCKETS)

    low = sys.modules["_socket"]
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        if not hasattr(low, name):
            setattr(low, name, refuse_name)
            setattr(socket, name, refuse_name)
    socket.socket.__init__ = init
    socket.socketpair = init
    socket.create_connection = _connect
    socket.gethostname = lambda: "belljar"


@after_import("urllib3.util.connection")
def _adapt_urllib3(connection):
    connection.create_connection = _connect
