const FENCE = /^[^\S\n]*(`{3,}|~{3,})[^`\n]*$/;

/** Code that was pasted with its Markdown fences: they become blanks, so that every place stays. */
export function withoutFences(code: string): string {
  if (!code.includes("```")) return code;
  const fences = /^(\s*```[\w-]*[^\S\n]*)\n([^]*?)(\n[^\S\n]*```\s*)$/.exec(code);
  if (fences === null) return code;
  const [, open = "", body = "", close = ""] = fences;
  const blank = (text: string): string => text.replace(/`|\w|-/g, " ");
  return `${blank(open)}\n${body}${blank(close)}`;
}

/** Of an answer in Markdown the code in its fences, at its places; `undefined` when it has none. */
export function withoutProse(text: string): string | undefined {
  let opening: string | undefined;
  let found = false;
  const kept = text.split("\n").map((line) => {
    const fence = FENCE.exec(line)?.[1];
    if (opening === undefined) {
      opening = fence;
      found ||= fence !== undefined;
      return " ".repeat(line.length);
    }
    if (line.trim() !== opening) return line;
    opening = undefined;
    return " ".repeat(line.length);
  });
  return found ? kept.join("\n") : undefined;
}
