import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { z } from "zod";
import { ROOT } from "./paths.ts";

const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** An npm package as it is installed. */
export interface Package {
  /** Relative to the checkout. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
}

const NODE_MODULES = "node_modules/";

/** The package installed in that folder of the checkout. */
export function packageAt(folder: string): Package {
  const { name, version } = manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")));
  return { folder, name, version };
}

/** The npm packages that those source files come from, each once. */
export function packagesOf(files: readonly string[]): Package[] {
  const folders = files.flatMap((file) => {
    const at = file.lastIndexOf(NODE_MODULES);
    if (at < 0) return [];
    const [scope = "", name = ""] = file.slice(at + NODE_MODULES.length).split("/");
    return [posix.join(file.slice(0, at), NODE_MODULES, scope.startsWith("@") ? `${scope}/${name}` : scope)];
  });
  return [...new Set(folders)].sort().map(packageAt);
}

/** The npm package that carries Node for this machine. */
export function nodePackage(): Package {
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  const platform = process.platform === "win32" ? "win" : process.platform;
  return packageAt(`${NODE_MODULES}${prefix}-${platform}-${process.arch}`);
}
