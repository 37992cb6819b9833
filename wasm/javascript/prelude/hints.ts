/** Signs of Python in code that is no JavaScript. */
const PYTHON = [
  /^\s*(?:async\s+)?def\s+\w+\s*\(.*:\s*(?:#.*)?$/m,
  /^\s*(?:for\s+.+\s+in\s+.+|(?:if|elif|while|with)\s+.+|else|try|except.*|finally|class\s+\w+.*):\s*(?:#.*)?$/m,
  /^\s*from\s+[\w.]+\s+import\s/m,
  /^\s*import\s+[\w.]+(?:\s+as\s+\w+|\s*,\s*[\w.]+)*\s*$/m,
  /[[(]\s*.+\sfor\s+\w+(?:,\s*\w+)*\s+in\s.+[\])]/,
  /^\s*#(?!!| ?\w+\s*[(;])/m,
  /\b[fr]"[^"]*"/,
];
const SHELL = /^\s*(?:\$\s+\S|(?:npm|npx|yarn|pnpm|node|bun|deno|pip3?|python3?|cd|ls|cat|echo|curl|git|mkdir|sudo)\s+[\w./-])/;

/** Names that other languages and places have, and what serves here. */
const NAMES: Readonly<Record<string, string>> = {
  print: "print is Python's: use console.log here, or execute_python for Python.",
  len: "len is Python's: use .length here, or execute_python for Python.",
  None: "None is Python's: JavaScript has null. Python runs by execute_python.",
  True: "True is Python's: JavaScript has true. Python runs by execute_python.",
  False: "False is Python's: JavaScript has false. Python runs by execute_python.",
};
const BROWSER = new Set(["document", "window", "alert", "prompt", "confirm", "localStorage", "sessionStorage", "navigator", "location", "XMLHttpRequest"]);

/** Characters that are looked at for signs: some of them take the square of a line's length. */
const LOOKED_AT = 1_000;

/** What to do instead, when an error shows code that was written for something else. */
export function hintFor(type: string, message: string, whole: string): string | undefined {
  const code = whole.slice(0, LOOKED_AT);
  if (type === "SyntaxError") {
    if (SHELL.test(code)) return "There is no shell here, and nothing can be installed: pass JavaScript alone.";
    if (PYTHON.some((sign) => sign.test(code))) return "This looks like Python: run it by execute_python.";
    return undefined;
  }
  const name = /^([\w$]+) is not defined$/.exec(message)?.[1] ?? "";
  if (BROWSER.has(name)) return `There is no browser here, so no ${name}: compute the value, or write a file to /work.`;
  return Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
}
