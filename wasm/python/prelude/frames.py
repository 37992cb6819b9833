"""Which frames of a traceback are shown: the user's, folded where they repeat, and of deep stacks the two ends."""

import linecache
import traceback
import types

_USER_PLACES = ("<code", "/work/", "/tmp/")
_RUN = 3  # rounds of the same lines that are folded to one
_LONGEST_CYCLE = 4  # lines of such a round
_END = 24  # frames shown at each end of a deep stack


def is_user_file(filename):
    """True for code of a turn, and for modules that the user wrote into the sandbox."""
    return filename.startswith(_USER_PLACES)


def remember(filename, text):
    """Lets tracebacks and `inspect` show the source lines of a turn."""
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)


def forget():
    """Forgets the lines of all turns."""
    for filename in [filename for filename in linecache.cache if filename.startswith("<code")]:
        del linecache.cache[filename]


def place_of(frame, error):
    """Returns what can be said of code that is stopped at a frame, innermost, and can't say more itself.

    The place of code that an exception has already left is where the exception was raised.
    """
    places = []
    while frame is not None and len(places) < _END:
        if is_user_file(frame.f_code.co_filename):
            places.append((frame.f_code, frame.f_lineno))
        frame = frame.f_back
    for _ in range(_END):  # what was being told of it may have raised and handled others
        if places or error is None:
            break
        link = error.__traceback__
        while link is not None:
            if is_user_file(link.tb_frame.f_code.co_filename):
                places[_END - 1:] = []
                places.insert(0, (link.tb_frame.f_code, link.tb_lineno))
            link = link.tb_next
        error = error.__context__
    failure = {"type": "Stopped", "message": ""}
    lines = []
    for code, number in places:
        failure.setdefault("line", number)
        source = linecache.getline(code.co_filename, number).strip()
        lines.append(f'  File "{code.co_filename}", line {number}, in {code.co_name}' + (f"\n    {source}" if source else ""))
    if lines:
        failure["traceback"] = "\n".join(["Traceback (most recent call last):", *reversed(lines)])
    return failure


class Shown(traceback.StackSummary):
    """The frames to show; `marks` holds, by the number of a frame, the line that follows it."""

    marks = {}

    def format(self, **options):
        lines = []
        for number, frame in enumerate(self):
            lines += traceback.StackSummary.from_list([frame]).format(**options)
            if number in self.marks:
                lines.append(self.marks[number])
        return lines


def select(error, is_root=True):
    """Puts in place of an exception's traceback the one to show, and returns its marks.

    Stacks of a hundred thousand frames are common in runaway recursion: extracting each would take minutes.
    """
    links = []
    link = error.__traceback__
    while link is not None:
        links.append(link)
        link = link.tb_next
    kept = [link for link in links if is_user_file(link.tb_frame.f_code.co_filename)]
    if not kept and is_root:
        kept = [link for link in links if not link.tb_frame.f_code.co_filename.startswith("<belljar>")]
    kept, marks = _cut(*_fold(kept))
    chain = None
    for link in reversed(kept):
        chain = types.TracebackType(chain, link.tb_frame, link.tb_lasti, link.tb_lineno)
    # Unlinked one by one: freed as a chain, each link frees the next from within, which costs stack.
    for link in reversed(links):
        link.tb_next = None
    error.__traceback__ = chain
    return marks


def reaches_user(error):
    """True when any frame of the exception is the user's."""
    link = error.__traceback__
    while link is not None:
        if is_user_file(link.tb_frame.f_code.co_filename):
            return True
        link = link.tb_next
    return False


def _fold(links):
    """Keeps one round of lines that repeat, of one function or of some that call each other in turn."""
    places = [(link.tb_frame.f_code, link.tb_lineno) for link in links]
    kept, marks = [], {}
    here = 0
    while here < len(links):
        period, rounds = _rounds(places, here)
        kept += links[here : here + period]
        if rounds > 1:
            lines = "line" if period == 1 else f"{period} lines"
            marks[len(kept) - 1] = f"  [Previous {lines} repeated {rounds - 1} more time{'s' if rounds > 2 else ''}]\n"
        here += period * rounds
    return kept, marks


def _rounds(places, here):
    """Returns ``(period, rounds)``: how many lines repeat from here on, and how often they are there."""
    for period in range(1, _LONGEST_CYCLE + 1):
        end = here + period
        while end < len(places) and places[end] == places[end - period]:
            end += 1
        rounds = (end - here) // period
        if rounds >= _RUN:
            return period, rounds
    return 1, 1


def _cut(links, marks):
    if len(links) <= 3 * _END:
        return links, marks
    between = len(links) - 2 * _END
    moved = {number - between: mark for number, mark in marks.items() if number >= len(links) - _END}
    head = {number: mark for number, mark in marks.items() if number < _END - 1}
    return links[:_END] + links[-_END:], {**head, _END - 1: f"  … {between:,} more frames …\n", **moved}
