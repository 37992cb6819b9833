"""A connection that is none: HTTP/1.1 written to it becomes a request of the host's, whose answer is read back as HTTP/1.1.

So `http.client`, and all that stands on it, works as it is. One request goes over each; the host keeps the real
connections, and checks and counts what goes over them.
"""

import errno
import io
import json
import socket

from _host import call as _call

from _belljar_answer import Answer, head_of
from _belljar_body import Chunks, Length

_WHOLE = 1_048_576  # a body of up to so many bytes goes with its request
_PIECE = 1_048_576
_LONGEST_HEAD = 1_048_576
_dumps, _loads = json.dumps, json.loads


def ask(question, payload=b""):
    """Returns the host's answer to a question about the network, and the bytes that came with it."""
    answer = _call(_dumps({"op": "net", "ask": question}).encode("ascii") + b"\n" + bytes(payload))
    line, _, rest = answer.partition(b"\n")
    return _loads(line), rest


def error_of(failure):
    """Returns the exception that the libraries expect for a failure of the host's."""
    code, message = failure["code"], failure["message"]
    if code == "name":
        return socket.gaierror(getattr(socket, "EAI_NONAME", -2), message)
    if code == "tls":
        import ssl

        return ssl.SSLCertVerificationError(message)
    kinds = {"refused": ConnectionRefusedError, "connect": ConnectionRefusedError, "timeout": TimeoutError, "broken": ConnectionResetError}
    return kinds.get(code, OSError)(message)


def connect(address, timeout=None):
    """Returns a connection to ``(host, port)``; raises ConnectionRefusedError when the user has not allowed it."""
    host, port = address[:2]
    answer, _ = ask({"op": "check", "url": f"http://{_bracketed(host)}:{port}/"})
    if "error" in answer:
        raise error_of(answer["error"])
    return Wire(host, port, timeout)


def _bracketed(host):
    host = host.decode("ascii") if isinstance(host, bytes) else str(host)
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


class Wire:
    """As much of a socket as HTTP clients use."""

    family = socket.AF_INET
    type = socket.SOCK_STREAM
    proto = 0

    def __init__(self, host, port, timeout):
        self._host, self._port, self._timeout = host, port, timeout
        self.scheme = "http"
        self._buffer = bytearray()
        self._body = None  # how the body is framed, once the head is there
        self._kind = "none"
        self._id = None
        self._whole = bytearray()
        self._met = False
        self._incoming = b""
        self._over = False
        self._late = False
        self._files = 0
        self._closed = False

    def sendall(self, data, flags=0):
        """Takes a part of a request; begins it when its head is there, and ends it with its body."""
        self._check()
        self._buffer += data
        if self._body is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(self._buffer) > _LONGEST_HEAD:
                    raise OSError(errno.EMSGSIZE, "the head of the request is too long")
                return
            head = bytes(self._buffer[:end])
            del self._buffer[: end + 4]
            self._begin(head)
        if self._body is not None:
            self._pass_on()

    def send(self, data, flags=0):
        self.sendall(data)
        return len(data)

    def _begin(self, head):
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, version = (first.split(" ") + ["", ""])[:3]
        if not version.startswith("HTTP/1.") or any(":" not in line for line in lines):
            raise OSError(errno.EPROTONOSUPPORT, "only HTTP goes over a connection here")
        headers = [[name, value.strip()] for name, _, value in (line.partition(":") for line in lines)]
        told = {name.lower(): value for name, value in headers}
        url = target if target.startswith(("http://", "https://")) else f"{self.scheme}://{_bracketed(self._host)}:{self._port}{target}"
        self._request = {"method": method, "url": url, "headers": headers, "unpack": False}
        if "chunked" in told.get("transfer-encoding", "").lower():
            self._body, self._kind = Chunks(), "stream"
            self._start()
            return
        length = int(told.get("content-length", "0") or 0)
        self._body, self._kind = Length(length), "whole" if length <= _WHOLE else "stream"
        if length > _WHOLE:
            self._start(length=length)

    def _start(self, payload=b"", **more):
        answer, _ = ask({"op": "start", "request": {**self._request, "body": self._kind, **more}}, payload)
        if "error" in answer:
            self._over = True
            raise error_of(answer["error"])
        self._id = answer["id"]

    def _pass_on(self):
        if self._met:
            raise OSError(errno.EPROTONOSUPPORT, "one request goes over a connection here")
        data = self._body.take(self._buffer)
        if self._kind == "stream":
            if data or self._body.done:
                self._stream(data, self._body.done)
        else:
            self._whole += data
            if self._body.done:
                self._kind = "whole" if self._whole else "none"
                self._start(self._whole)
        if self._body.done:
            self._met = True
            self._meet()

    def _stream(self, data, last):
        for at in range(0, max(1, len(data)), _PIECE):
            piece = data[at : at + _PIECE]
            question = {"op": "send", "id": self._id, "last": last and at + _PIECE >= len(data)}
            answer, _ = ask(question | self._limit(), piece)
            if answer.get("full"):
                raise TimeoutError("timed out")
            if "error" in answer:
                return  # what came of it is told to who reads the answer

    def _limit(self):
        return {} if self._timeout is None else {"ms": self._timeout * 1000}

    def _meet(self):
        """Waits for the head of the answer, so that who sends a request hears why it can't be made."""
        event, _ = ask({"op": "next", "ids": [self._id]} | self._limit())
        if event.get("event") == "head":
            self._incoming = head_of(event)
        elif event.get("event") == "failed":
            self._over = True
            error = error_of(event)
            if not isinstance(error, TimeoutError):
                raise error
            self._late = True
        else:
            self._late = True

    def read(self, size):
        """Returns up to `size` bytes of the answer; none at its end."""
        self._check()
        while not self._incoming:
            if self._late:
                raise TimeoutError("timed out")
            if self._over or self._id is None:
                return b""
            event, data = ask({"op": "next", "ids": [self._id]} | self._limit())
            kind = event.get("event")
            if kind == "head":
                self._incoming = head_of(event)
            elif kind == "data":
                self._incoming = data
            elif kind == "end":
                self._over = True
            elif kind == "failed":
                self._over = True
                raise error_of(event)
            else:
                raise TimeoutError("timed out")
        data, self._incoming = self._incoming[:size], self._incoming[size:]
        return data

    def recv(self, size, flags=0):
        return self.read(size)

    def recv_into(self, buffer, size=0, flags=0):
        data = self.read(size or len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def makefile(self, mode="r", buffering=None, **text):
        """Returns the answer as a file."""
        raw = Answer(self)
        buffered = io.BufferedReader(raw, 65536) if buffering != 0 else raw
        return buffered if "b" in mode else io.TextIOWrapper(buffered, **text)

    def _check(self):
        if self._closed and self._files <= 0:
            raise OSError(errno.EBADF, "the connection is closed")

    def let_go(self):
        if self._closed and self._files <= 0 and self._id is not None and not self._over:
            self._over = True
            ask({"op": "close", "id": self._id})

    def close(self):
        self._closed = True
        self.let_go()

    def __del__(self):
        try:
            self._files = 0
            self.close()
        except Exception:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def settimeout(self, timeout):
        self._timeout = timeout

    def gettimeout(self):
        return self._timeout

    def setblocking(self, flag):
        self._timeout = None if flag else 0.0

    def setsockopt(self, *_):
        pass

    def getsockopt(self, *_):
        return 0

    def getpeername(self):
        return (self._host, self._port)

    def getsockname(self):
        return ("0.0.0.0", 0)

    def shutdown(self, how):
        pass

    def fileno(self):
        return -1

    def detach(self):
        return -1

    def unwrap(self):
        return self

    def getpeercert(self, binary_form=False):
        return b"" if binary_form else {}

    def version(self):
        return "TLSv1.3" if self.scheme == "https" else None

    def cipher(self):
        return None

    def selected_alpn_protocol(self):
        return "http/1.1"
