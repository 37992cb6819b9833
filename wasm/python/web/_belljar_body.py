"""How the body of a request is framed: what of the bytes that were written is its own, and where it ends."""


class Length:
    """A body of a known length."""

    def __init__(self, length):
        self._left = length
        self.done = length == 0

    def take(self, buffer):
        data = bytes(buffer[: self._left])
        del buffer[: self._left]
        self._left -= len(data)
        self.done = self._left == 0
        return data


class Chunks:
    """A body in chunks (RFC 9112, section 7.1)."""

    def __init__(self):
        self._left = 0
        self._ending = False
        self.done = False

    def take(self, buffer):
        out = bytearray()
        while not self.done:
            if self._left > 0:
                data = buffer[: self._left]
                if not data:
                    break
                del buffer[: len(data)]
                self._left -= len(data)
                out += data
                continue
            end = buffer.find(b"\r\n")
            if end < 0:
                break
            line = bytes(buffer[:end])
            del buffer[: end + 2]
            if self._ending:
                self.done = line == b""
            elif line:
                self._left = int(line.partition(b";")[0], 16)
                self._ending = self._left == 0
        return bytes(out)
