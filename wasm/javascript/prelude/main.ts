import "./globals.ts";
import { apart, rememberIntrinsics } from "./intrinsics.ts";
import { present } from "./report.ts";
import { compile } from "./source.ts";
import { tidy } from "./tidy.ts";
import { begin, interrupted, presentFailure, step, tellPlace } from "./turn.ts";

const { defineProperty } = Object;
/** Without a prototype: what the code adds to all objects would be read as a part of it. */
const ownProperty: PropertyDescriptor = Object.setPrototypeOf({ value: Promise.prototype.then }, null);

/** The runtime calls `then` of what it is given, which the code may have changed. */
function ownThen<T>(promise: Promise<T>): Promise<T> {
  return defineProperty(promise, "then", ownProperty);
}

/** See wasm/guest.wit. User code starts in a job, so that an interrupt of the engine never reaches the caller's frames. */
export function turn(code: string, plan: string, kept: boolean, dropTimers: boolean): Promise<void> {
  return ownThen(started(code, plan, kept, dropTimers));
}

async function started(code: string, plan: string, kept: boolean, dropTimers: boolean): Promise<void> {
  apart(() => begin({ text: code, plan }, kept, dropTimers));
}

/** See wasm/guest.wit; like `turn`, it works in a job. */
export function next(): Promise<string | null> {
  return ownThen(stepped());
}

async function stepped(): Promise<string | null> {
  await undefined;
  try {
    return await step();
  } catch (error) {
    return presentFailure(error);
  }
}

/** See wasm/guest.wit. */
export function interrupt(): void {
  interrupted();
}

/** See wasm/guest.wit. */
export function where(): void {
  tellPlace();
}

rememberIntrinsics();
// What is made at its first use is in the image, instead of being made in each sandbox's first turn.
compile("const a = [1, 'b'];\na", 0);
present(undefined, { a: [1, "b"] });
// The engine starts at rest: no collection is due in the first turn, and what is free is zero in the image.
tidy();
