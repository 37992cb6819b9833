import type { Language } from "../policy/limits.ts";

/** One of these begins something that may go over lines and in which nothing else counts. */
const TOKENS = {
  python: /\\[^]|#.*|"""|'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[()[\]{}]|\\$/g,
  javascript: /\\[^]|\/\/.*|\/\*|`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[()[\]{}]/g,
} as const satisfies Record<Language, RegExp>;
/** What ends it. */
const ENDS: Readonly<Record<string, RegExp>> = {
  '"""': /(?<!\\)(?:\\\\)*"""/g,
  "'''": /(?<!\\)(?:\\\\)*'''/g,
  "`": /(?<!\\)(?:\\\\)*`/g,
  "/*": /\*\//g,
};
/** A line that begins a block of Python. */
const BLOCK = /^(?:@|(?:async\s+)?(?:if|for|while|with|try|def|class|match)\b)/;

/** True when code that was typed so far waits for more: a guess from brackets, quotes and blocks, not a parser. */
export function isUnfinished(language: Language, code: string): boolean {
  const { open, depth, bare } = scan(language, code);
  if (open) return true;
  const ended = code.endsWith("\n") || code.trim() === "";
  // What looks like an open bracket may stand in a regular expression: an empty line has the last word.
  if (language === "javascript") return depth > 0 && !ended;
  if (depth > 0 || bare.endsWith("\\")) return true;
  return BLOCK.test(bare) && !ended;
}

/** Walks over what is no code; `bare` is the code without comments. */
function scan(language: Language, code: string): { open: boolean; depth: number; bare: string } {
  const tokens = new RegExp(TOKENS[language]);
  let depth = 0;
  let bare = "";
  let from = 0;
  for (let match = tokens.exec(code); match !== null; match = tokens.exec(code)) {
    const [token] = match;
    const end = ENDS[token];
    if (end !== undefined) {
      const closing = new RegExp(end);
      closing.lastIndex = tokens.lastIndex;
      if (closing.exec(code) === null) return { open: true, depth, bare };
      tokens.lastIndex = closing.lastIndex;
    } else if ("([{".includes(token)) depth += 1;
    else if (")]}".includes(token)) depth -= 1;
    const isComment = token.startsWith("#") || token.startsWith("//");
    bare += code.slice(from, isComment ? match.index : tokens.lastIndex);
    from = tokens.lastIndex;
  }
  return { open: false, depth, bare: bare + code.slice(from) };
}
