"""What comes back over a wire: the head as HTTP/1.1 has it, and the body as a file."""

import io


def head_of(event):
    """Returns the bytes of the head that the host tells of."""
    lines = [f"HTTP/1.1 {event['status']} {event['reason']}", *(f"{name}: {value}" for name, value in event["headers"]), "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")


class Answer(io.RawIOBase):
    """The answer of a wire as a raw file."""

    def __init__(self, wire):
        self._wire = wire
        wire._files += 1

    def readable(self):
        return True

    def readinto(self, buffer):
        data = self._wire.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self):
        if not self.closed:
            super().close()
            self._wire._files -= 1
            self._wire.let_go()
