import type { Program } from "acorn";
import { HOOK } from "./completion.ts";
import type { Marks } from "./marks.ts";

/**
 * Turns import and export declarations into what a function body can hold: an import awaits the
 * module and binds its names, an export stays a plain declaration.
 */
export function markModuleSyntax(program: Program, text: string, marks: Marks): void {
  for (const node of program.body) {
    switch (node.type) {
      case "ImportDeclaration": {
        const from = `await ${HOOK}.load(${node.source.raw ?? ""})`;
        const bindings: string[] = [];
        for (const specifier of node.specifiers) {
          const local = specifier.local.name;
          if (specifier.type === "ImportNamespaceSpecifier") bindings.push(`${local} = ${HOOK}.module`);
          else if (specifier.type === "ImportDefaultSpecifier") bindings.push(`${local} = ${HOOK}.pick("default")`);
          else {
            const name = specifier.imported.type === "Identifier" ? specifier.imported.name : String(specifier.imported.value);
            bindings.push(`${local} = ${HOOK}.pick(${JSON.stringify(name)})`);
          }
        }
        const bound = bindings.length > 0 ? ` const ${bindings.join(", ")};` : "";
        const lines = "\n".repeat(text.slice(node.start, node.end).split("\n").length - 1);
        marks.replace(node.start, node.end, `${from};${bound}${lines}`);
        break;
      }
      case "ExportNamedDeclaration":
        if (node.declaration) marks.replace(node.start, node.declaration.start, "");
        else marks.replace(node.start, node.end, ";");
        break;
      case "ExportDefaultDeclaration": {
        const named = "id" in node.declaration && node.declaration.id;
        marks.replace(node.start, node.declaration.start, named ? "" : `${HOOK}.value = (`);
        if (!named) marks.insert(node.declaration.end, ")");
        break;
      }
      case "ExportAllDeclaration":
        marks.replace(node.start, node.end, ";");
        break;
    }
  }
  markDynamicImports(program, marks);
}

/** `import(x)` and `import.meta` go the same way as a declaration. */
function markDynamicImports(node: object, marks: Marks): void {
  if ("type" in node && "start" in node && typeof node.start === "number") {
    if (node.type === "ImportExpression") marks.replace(node.start, node.start + "import".length, `${HOOK}.import`);
    if (node.type === "MetaProperty" && "meta" in node && isNamed(node.meta, "import") && "end" in node) {
      marks.replace(node.start, Number(node.end), `${HOOK}.meta`);
    }
  }
  for (const child of Object.values(node)) {
    if (typeof child === "object" && child !== null) markDynamicImports(child, marks);
  }
}

function isNamed(node: unknown, name: string): boolean {
  return typeof node === "object" && node !== null && "name" in node && node.name === name;
}
