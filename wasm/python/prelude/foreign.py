"""Code of another language, recognised when it fails: what it looks like, and where it runs."""

import re

_JAVASCRIPT = re.compile(
    r"^\s*(?:const|let|var)\s+[\w${\[]|^\s*(?:export\s+|async\s+)*function\b.*[({]|=>|\bconsole\.\w+\(|^\s*import\b.*\bfrom\s+['\"]"
    r"|^\s*\}?\s*(?:else\s*\{|else if\b|catch\b)|^\s*(?:if|for|while|switch)\s*\(.*\)\s*\{|[!=]==|^\s*(?:interface|enum|type)\s+\w+.*[{=]|;\s*//|^\s*//",
    re.MULTILINE,
)
_SQL = re.compile(r"\s*(?:SELECT\b.+\bFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\b", re.IGNORECASE | re.DOTALL)
_SHELL = re.compile(r"\s*(?:\$\s+\S|(?:ls|cd|cat|echo|mkdir|rm|cp|mv|curl|wget|git|apt|apt-get|sudo|npm|npx|node|python3?|bash|chmod|grep|find|export)\s+[\w./~\-\"'])")
_NAMES = {
    "null": "null is JSON's and JavaScript's: Python has None. json.loads reads JSON text.",
    "undefined": "undefined is JavaScript's: Python has None.",
    "true": "true is JSON's and JavaScript's: Python has True. json.loads reads JSON text.",
    "false": "false is JSON's and JavaScript's: Python has False. json.loads reads JSON text.",
    "NaN": "NaN is JavaScript's: Python has math.nan.",
    "console": "console is JavaScript's: use print here, or run JavaScript by execute_javascript.",
    "require": "require is JavaScript's: use import here, or run JavaScript by execute_javascript.",
    "Math": "Math is JavaScript's: use math here, or run JavaScript by execute_javascript.",
    "JSON": "JSON is JavaScript's: use json here, or run JavaScript by execute_javascript.",
    "document": "There is no browser here.",
    "window": "There is no browser here.",
    "ls": "There is no shell here, only Python: os.listdir() lists files.",
    "spark": "There is no Spark here: use pandas.",
    "dbutils": "There is no Databricks here: files are under /work.",
}


def in_source(lines):
    """Returns a hint when source lines that are no Python look like something else."""
    text = "".join(lines)[:100_000]
    if _SHELL.match(text):
        return ["There is no shell here, only Python: use os, shutil and pathlib."]
    if _SQL.match(text):
        return ["This looks like SQL: run it by sqlite3, or on tables by pandas."]
    if _JAVASCRIPT.search(text):
        return ["This looks like JavaScript: run it by execute_javascript."]
    return []


def in_name(name):
    """Returns a hint for a name that another language has."""
    return [_NAMES[name]] if name in _NAMES else []
