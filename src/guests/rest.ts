import { type Globals, type Image, resetToImage, viewImage } from "../engine/image.ts";
import { decodeImage, encodeImage } from "../engine/image-file.ts";
import type { Workspace } from "../host/files/workspace.ts";
import type { SavedSandbox } from "./guest.ts";

/** An instance's state: what a sandbox is when nothing runs in it. */
export interface InstanceState {
  readonly memory: WebAssembly.Memory;
  readonly globals: Globals;
  readonly workspace: Workspace;
}

/** Puts a sandbox to rest, as what differs from the image it began with; the instance goes on being usable. */
export function saveState(state: InstanceState, image: string, base: Image, clockMs: number): SavedSandbox {
  const taken = viewImage(state.memory, state.globals, base.addresses, base);
  return {
    image,
    memory: encodeImage(taken, { base, shared: true }),
    memoryBytes: state.memory.buffer.byteLength,
    files: state.workspace.save(),
    clockMs,
    savedAt: Date.now(),
  };
}

/** What the monotonic clock of a sandbox says now; a wall clock that was set back meanwhile doesn't set it back. */
export function clockOf({ clockMs, savedAt }: SavedSandbox): number {
  return clockMs + Math.max(0, Date.now() - savedAt);
}

/** Makes an instance what was saved; false when its memory has grown beyond it. */
export function loadState(state: InstanceState, saved: SavedSandbox, base: Image, fileBytes: number): boolean {
  if (!resetToImage(decodeImage(saved.memory, base), state.memory, state.globals)) return false;
  state.workspace.restore(fileBytes, saved.files);
  return true;
}
