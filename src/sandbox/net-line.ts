import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { FromNet } from "../host/net/messages.ts";
import type { NetLine } from "../host/net/net-door.ts";
import { SHARED, type Stop } from "./stop.ts";

/** A wait is cut up at this length, so that a client still hears of a turn that waits. */
const STEP_MS = 500;

/** The line of one turn over its port: the thread blocks in it, and takes what came without going back to its event loop. */
export function openNetLine(port: MessagePort, flag: Int32Array, stop: Stop, tick: () => void): NetLine {
  let seen = 0;
  return {
    send: (message) => port.postMessage(message),
    take() {
      // Read before the look: what comes after it changes the word, and then no wait begins.
      seen = Atomics.load(flag, SHARED.events);
      const received: { readonly message: FromNet } | undefined = receiveMessageOnPort(port);
      return received?.message;
    },
    wait(ms) {
      stop.waitForEvent(seen, Math.min(ms, STEP_MS));
      tick();
    },
    isDue: stop.isDue,
  };
}
