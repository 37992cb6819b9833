import { join } from "node:path";

/** How a client is to start Belljar. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where things are on the user's machine. */
export interface Place {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/** A client that keeps its servers under `mcpServers` of a JSON file, or one with a command of its own to add a server. */
export type McpClient =
  | { readonly name: string; readonly file: (place: Place) => string }
  | { readonly name: string; readonly program: string; readonly args: (entry: ServerEntry) => readonly string[] };

/** The clients that `belljar install` knows, by what each one's own papers say of its user-wide settings. */
export const MCP_CLIENTS: Readonly<Record<string, McpClient>> = {
  "claude-code": {
    name: "Claude Code",
    program: "claude",
    args: ({ command, args }) => ["mcp", "add", "--scope", "user", "belljar", "--", command, ...args],
  },
  "claude-desktop": { name: "Claude Desktop", file: (place) => join(applicationData(place), "Claude", "claude_desktop_config.json") },
  codex: { name: "Codex", program: "codex", args: ({ command, args }) => ["mcp", "add", "belljar", "--", command, ...args] },
  cursor: { name: "Cursor", file: ({ home }) => join(home, ".cursor", "mcp.json") },
  gemini: { name: "Gemini CLI", file: ({ home }) => join(home, ".gemini", "settings.json") },
  vscode: { name: "VS Code", program: "code", args: (entry) => ["--add-mcp", JSON.stringify({ name: "belljar", ...entry })] },
  windsurf: { name: "Windsurf", file: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json") },
};

function applicationData({ home, platform, env }: Place): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}
