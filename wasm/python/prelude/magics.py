"""What notebooks know beside Python: `%matplotlib inline`, `!pip install`."""

import re

from _belljar.packages import PROVIDED, missing_packages

_MAGIC = re.compile(r"(?P<indent>\s*)(?P<mark>%%|%|!)(?P<name>[\w.\-]+)(?P<rest>.*)")
_PIP = re.compile(r"\s*(?:[%!]\s*)?(?:python3?\s+-m\s+)?(?:pip3?|conda|mamba|uv\s+pip)\s+(?P<verb>install|list|show)\b(?P<rest>.*)")
_ASSIGNED = re.compile(r"\s*[\w, ]+=\s*(?P<what>[!%][\w.]+).*")
_HELP = re.compile(r"\s*\??\??(?P<what>[\w.]+)\?\??\s*|\s*\?\??(?P<other>[\w.]+)\s*")
_HARMLESS = frozenset(
    "matplotlib autoreload load_ext reload_ext config pylab precision autosave colors xmode doctest_mode notebook "
    "capture".split()
)
_TIMED = frozenset(["time", "timeit"])


def replace(source):
    """Blanks the magics that change nothing here, with a note for each; True when any was found.

    Raises SyntaxError for one that can't be done without.
    """
    lines = source.text.split("\n")
    found = False
    for number, line in enumerate(lines):
        pip = _PIP.fullmatch(line)
        magic = _MAGIC.fullmatch(line)
        if pip is not None:
            lines[number] = _install(source, number + 1, line, pip)
        elif magic is not None:
            lines[number] = _magic(source, number + 1, line, magic)
        elif (assigned := _ASSIGNED.fullmatch(line)) is not None:
            raise _refuse(number + 1, line, f"`{assigned['what']}` is a notebook's: there is no shell here, only Python")
        elif (asked := _HELP.fullmatch(line)) is not None and "?" in line:
            what = asked["what"] or asked["other"]
            raise _refuse(number + 1, line, f"`{line.strip()}` is a notebook's: help({what}) prints what is known of it")
        else:
            continue
        found = True
    source.text = "\n".join(lines)
    return found


def _install(source, number, line, match):
    lacking = missing_packages(match["rest"].split()) if match["verb"] == "install" else []
    if lacking or match["verb"] != "install":
        what = line.strip().split()[0]
        told = f"; not among them: {', '.join(lacking)}" if lacking else ""
        raise _refuse(number, line, f"`{what}` isn't available here; these packages are: {PROVIDED}{told}")
    source.notes.append(f"`{line.strip()}` was left out: what it installs is already here.")
    return match[0][: len(line) - len(line.lstrip())] + "pass"


def _magic(source, number, line, match):
    name, rest = match["name"], match["rest"].strip()
    if match["mark"] == "!":
        raise _refuse(number, line, f"`!{name}` isn't available here: there is no shell, only Python")
    if name in _TIMED and not rest.startswith("-"):
        source.notes.append(f"`{match['mark']}{name}` was left out; the usage tells how long the run took.")
        return match["indent"] + (rest or "pass")
    if name in _HARMLESS:
        source.notes.append(f"`{match['mark']}{name}` is a notebook's and was left out.")
        return match["indent"] + "pass"
    raise _refuse(number, line, f"`{match['mark']}{name}` is a notebook magic, which isn't available here")


def _refuse(number, line, message):
    column = len(line) - len(line.lstrip()) + 1
    return SyntaxError(message, ("<code>", number, column, line + "\n", number, len(line) + 1))
