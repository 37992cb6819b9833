import { type Globals, type Image, viewImage } from "../engine/image.ts";
import { decodeImage, encodeImage } from "../engine/image-file.ts";
import type { PageRecord } from "../engine/page-record.ts";
import { differences, resetToImage } from "../engine/restore.ts";
import type { Workspace } from "../host/files/workspace.ts";
import type { SavedSandbox } from "./guest.ts";

/** An instance's state: what a sandbox is when nothing runs in it. */
export interface InstanceState {
  readonly memory: WebAssembly.Memory;
  readonly globals: Globals;
  readonly workspace: Workspace;
  /** What was written since the memory was equal to the image it began with, where that is recorded. */
  readonly record?: PageRecord;
}

/** Puts a sandbox to rest, as what differs from the image it began with; the instance goes on being usable. */
export function saveState(state: InstanceState, image: string, base: Image, clockMs: number): SavedSandbox {
  const taken = viewImage(state.memory, state.globals, base.addresses, base, state.record?.has);
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

/**
 * Makes an instance what was saved; false when its memory has grown beyond it.
 * @param base the image that the saved sandbox began with
 * @param before the one that the instance began with
 */
export function loadState(state: InstanceState, saved: SavedSandbox, base: Image, before: Image, fileBytes: number): boolean {
  const { record } = state;
  const image = decodeImage(saved.memory, base);
  if (!resetToImage(image, state.memory, state.globals, record && { image: before, record })) return false;
  if (record !== undefined) for (const [from, to] of differences(base, image)) record.mark(from, to - from);
  state.workspace.restore(fileBytes, saved.files);
  return true;
}
