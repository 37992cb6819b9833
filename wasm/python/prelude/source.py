"""From the text as it was pasted to code objects: one for the statements, one for the last expression."""

import __future__
import ast
import re

from _belljar import magics

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w+.-]*[^`\n]*")
_PROMPTS = (re.compile(r"[ \t]*(?:>>>|\.\.\.)(?: |$)"), re.compile(r"In \[\d*\]: |   \.{3,}: ?"))
_SEMICOLON = re.compile(r"(?:[\s)]|#[^\n]*\n)*;")
_INDENT = re.compile(r"[ \t]*")
_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag
_AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Source:
    """Code of one turn: `text` as it is compiled, `shift` columns taken off each line's start, `notes` for the reader."""

    def __init__(self, text, shift, notes):
        self.text = text
        self.shift = shift
        self.notes = notes


def read(payload):
    """Turns the bytes of a turn into a Source whose lines are numbered as they were given."""
    text = payload.decode("utf-8", "surrogatepass" if b"\xed" in payload else "strict")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text, shift = _dedent(_without_prompts(_without_fence(text)))
    return Source(text, shift, [])


def _without_prompts(text):
    """Blanks the prompts of a pasted session, `>>> ` and `... ` or `In [1]: `, and what it had answered."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    prompt = next((prompt for prompt in _PROMPTS if prompt.match(first)), None)
    if prompt is None:
        return text
    found = [prompt.match(line) for line in lines]
    return "\n".join(line[match.end() :] if match else "" for line, match in zip(lines, found))


def _without_prose(text):
    """Leaves of an answer in Markdown the code in its fences, at its lines; None when it has none."""
    kept, outside, opening, found = [], [], None, False
    for line in text.split("\n"):
        fence = _FENCE.fullmatch(line)
        if opening is None and fence is not None:
            opening = fence[1]
            found = True
            kept.append("")
        elif opening is not None and line.strip() == opening:
            opening = None
            kept.append("")
        else:
            kept.append("" if opening is None else line)
            if opening is None:
                outside.append(line)
    # A fence within a text that the code quotes is the code's own.
    quoted = any(mark in line for line in outside for mark in ('"""', "'''"))
    return "\n".join(kept) if found and not quoted else None


def _without_fence(text):
    """Blanks the lines of one Markdown fence around the whole code."""
    lines = text.split("\n")
    full = [number for number, line in enumerate(lines) if line.strip()]
    if not full:
        return text
    first, last = full[0], full[-1]
    opening = _FENCE.fullmatch(lines[first])
    if opening is None:
        return text
    closing = lines[last].strip()
    if last > first and closing == opening[1]:
        lines[last] = ""
    lines[first] = ""
    return "\n".join(lines)


def _dedent(text):
    """Takes the first line's indentation off every line, when each line of code has at least that."""
    lines = text.split("\n")
    full = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not full:
        return text, 0
    margin = _INDENT.match(full[0])[0]
    if not margin or not all(line.startswith(margin) for line in full):
        return text, 0
    return "\n".join(line.removeprefix(margin) for line in lines), len(margin)


def compile_turn(source, filename, flags):
    """Returns ``(body, last, flags)``: two code objects or None, and the `__future__` flags then in force.

    Raises SyntaxError, or what else CPython's compiler raises; notebook magics are seen to first.
    """
    try:
        tree = _parse(source.text, filename, flags)
    except SyntaxError:
        prose = _without_prose(source.text)
        source.text = source.text if prose is None else prose
        if not magics.replace(source) and prose is None:
            raise
        tree = _parse(source.text, filename, flags)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not _silenced(source.text, tree.body[-1]):
        expression = ast.Expression(tree.body.pop().value)
        flags |= _future_flags(tree)
        last = compile(expression, filename, "eval", flags | _AWAIT, dont_inherit=True)
    body = None
    if tree.body:
        body = compile(tree, filename, "exec", flags | _AWAIT, dont_inherit=True)
        flags |= body.co_flags & _FUTURES
    return body, last, flags


def _silenced(text, statement):
    """True when a semicolon follows the statement: a notebook shows no value then."""
    lines = text.split("\n")[statement.end_lineno - 1 :]
    lines[0] = lines[0].encode()[statement.end_col_offset :].decode()
    return _SEMICOLON.match("\n".join(lines)) is not None


def _parse(text, filename, flags):
    if text.lstrip("\n")[:1] in (" ", "\t"):
        return _parse_indented(text, filename, flags)
    return compile(text, filename, "exec", flags | _AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)


def _parse_indented(text, filename, flags):
    """Parses code that is indented as a whole, though not each of its lines is: as the body of a block."""
    try:
        block = compile("if True:\n" + text, filename, "exec", flags | _AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError:
        return compile(text, filename, "exec", flags | _AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)
    if len(block.body) != 1:
        return compile(text, filename, "exec", flags | _AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)
    ast.increment_lineno(block, -1)
    return ast.Module(block.body[0].body, [])


def _future_flags(tree):
    flags = 0
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                flags |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
    return flags
