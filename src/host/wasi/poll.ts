import { refuse } from "../errno.ts";
import { isFile } from "../files/node.ts";
import { EVENTTYPE, SUBCLOCK_ABSTIME } from "../preview1.ts";
import { clockNow } from "./clock.ts";
import type { WasiContext } from "./context.ts";
import type { Pointers } from "./pointers.ts";
import { WasiFault } from "../errno.ts";

const SUBSCRIPTION_BYTES = 48;
const EVENT_BYTES = 32;
const MAX_SUBSCRIPTIONS = 1_024;
const NS_PER_MS = 1_000_000;

interface Event {
  readonly userdata: bigint;
  readonly type: number;
  readonly errno: number;
  readonly bytes: bigint;
}

interface Timer {
  readonly userdata: bigint;
  readonly leftNs: () => bigint;
}

/** `poll_oneoff`: files and streams are ready at once, clocks make the guest truly sleep. */
export function pollFunctions(context: WasiContext, guest: Pointers) {
  const timer = (at: number, userdata: bigint): Timer => {
    const id = guest.u32(at + 16);
    const timeout = guest.u64(at + 24);
    const start = clockNow(context, id);
    const isAbsolute = (guest.u16(at + 40) & SUBCLOCK_ABSTIME) !== 0;
    const due = isAbsolute ? timeout : start + timeout;
    return { userdata, leftNs: () => due - clockNow(context, id) };
  };

  const ready = (at: number, userdata: bigint, type: number): Event => {
    const { node, offset } = context.files.get(guest.u32(at + 16));
    const left = isFile(node) && type === EVENTTYPE.fdRead ? Math.max(0, node.size - offset) : 0;
    return { userdata, type, errno: 0, bytes: BigInt(left) };
  };

  const write = (event: Event, at: number): void => {
    guest.bytes(at, EVENT_BYTES).fill(0);
    guest.setU64(at, event.userdata);
    guest.setU16(at + 8, event.errno);
    guest.setU8(at + 10, event.type);
    guest.setU64(at + 16, event.bytes);
  };

  return {
    poll_oneoff(subscriptionsAt: number, eventsAt: number, count: number, storedAt: number): void {
      const size = count >>> 0;
      if (size === 0 || size > MAX_SUBSCRIPTIONS) refuse("inval");
      const from = guest.bytes(subscriptionsAt, size * SUBSCRIPTION_BYTES).byteOffset;
      const to = guest.bytes(eventsAt, size * EVENT_BYTES).byteOffset;
      guest.u32(storedAt);

      const timers: Timer[] = [];
      const events: Event[] = [];
      for (let at = from; at < from + size * SUBSCRIPTION_BYTES; at += SUBSCRIPTION_BYTES) {
        const userdata = guest.u64(at);
        const type = guest.u8(at + 8);
        if (type > EVENTTYPE.fdWrite) refuse("inval");
        try {
          if (type === EVENTTYPE.clock) timers.push(timer(at, userdata));
          else events.push(ready(at, userdata, type));
        } catch (error) {
          if (!(error instanceof WasiFault)) throw error;
          events.push({ userdata, type, errno: error.errno, bytes: 0n });
        }
      }
      events.push(...(events.length > 0 ? dueNow(timers) : sleep(context, timers)));
      events.forEach((event, index) => write(event, to + index * EVENT_BYTES));
      guest.setU32(storedAt, events.length);
    },
  };
}

function dueNow(timers: readonly Timer[]): Event[] {
  return timers.filter((timer) => timer.leftNs() <= 0n).map(fired);
}

/** Waits for the first timer. One fires in any case: a stopped turn's guest then meets its interrupt. */
function sleep(context: WasiContext, timers: readonly Timer[]): Event[] {
  const left = timers.map((timer) => timer.leftNs());
  const shortest = left.reduce((least, one) => (one < least ? one : least));
  if (shortest > 0n) context.wait(Number(shortest) / NS_PER_MS);
  return timers.filter((timer, index) => left[index] === shortest || timer.leftNs() <= 0n).map(fired);
}

function fired({ userdata }: Timer): Event {
  return { userdata, type: EVENTTYPE.clock, errno: 0, bytes: 0n };
}
