import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRNO } from "../../../src/host/errno.ts";
import { OUT, testGuest } from "./guest.ts";

const SUBSCRIPTIONS = 8_192;
const EVENTS = 131_072;

interface Subscription {
  readonly type: number;
  readonly fd?: number;
  readonly clock?: number;
  readonly timeout?: bigint;
  readonly absolute?: boolean;
}

/** Polls; the errno, and of each event the index of its subscription with its errno. */
function poll(guest: ReturnType<typeof testGuest>, subscriptions: Subscription[]): { errno: number; events: [bigint, number][] } {
  const view = guest.view();
  subscriptions.forEach(({ type, fd = 0, clock = 1, timeout = 0n, absolute = false }, index) => {
    const at = SUBSCRIPTIONS + index * 48;
    view.setBigUint64(at, BigInt(index), true);
    view.setUint8(at + 8, type);
    view.setUint32(at + 16, type === 0 ? clock : fd, true);
    view.setBigUint64(at + 24, timeout, true);
    view.setUint16(at + 40, absolute ? 1 : 0, true);
  });
  const errno = guest.call("poll_oneoff", SUBSCRIPTIONS, EVENTS, subscriptions.length, OUT);
  const count = errno === 0 ? view.getUint32(OUT, true) : 0;
  const events = Array.from({ length: count }, (_, index): [bigint, number] => {
    const at = EVENTS + index * 32;
    return [view.getBigUint64(at, true), view.getUint16(at + 8, true)];
  });
  return { errno, events };
}

test("a clock makes the guest wait once, for as long as it says", () => {
  const guest = testGuest();
  assert.deepEqual(poll(guest, [{ type: 0, timeout: 2_500_000n }]), { errno: 0, events: [[0n, 0]] });
  assert.deepEqual(guest.waits, [2.5]);
});

test("an absolute clock waits for what is left, and not at all for what is past", () => {
  const guest = testGuest();
  poll(guest, [{ type: 0, timeout: 8_000_000n, absolute: true }]);
  assert.deepEqual(guest.waits, [3]);
  assert.deepEqual(poll(guest, [{ type: 0, timeout: 1n, absolute: true }]).events, [[0n, 0]]);
  assert.deepEqual(guest.waits, [3]);
});

test("of several clocks the first wakes the guest", () => {
  const guest = testGuest();
  const clocks = [9_000_000n, 4_000_000n, 4_000_000n].map((timeout) => ({ type: 0, timeout }));
  assert.deepEqual(poll(guest, clocks).events, [[1n, 0], [2n, 0]]);
  assert.deepEqual(guest.waits, [4]);
});

test("files and streams are ready at once, so that a clock beside them does not wait", () => {
  const guest = testGuest();
  const { events } = poll(guest, [{ type: 1, fd: 0 }, { type: 0, timeout: 10n ** 12n }, { type: 2, fd: 1 }]);
  assert.deepEqual(events, [[0n, 0], [2n, 0]]);
  assert.deepEqual(guest.waits, []);
});

test("a bad descriptor or clock is told in its own event", () => {
  const guest = testGuest();
  assert.deepEqual(poll(guest, [{ type: 1, fd: 99 }]).events, [[0n, ERRNO.badf]]);
  assert.deepEqual(poll(guest, [{ type: 0, clock: 9 }]).events, [[0n, ERRNO.inval]]);
});

test("a wait that a stop cuts short still gives the guest an event", () => {
  const guest = testGuest({ context: { wait: () => {} } });
  assert.deepEqual(poll(guest, [{ type: 0, timeout: 2n ** 64n - 1n }]), { errno: 0, events: [[0n, 0]] });
});

test("what waiting throws unwinds the guest", () => {
  const stop = new Error("stopped");
  const guest = testGuest({
    context: {
      wait: () => {
        throw stop;
      },
    },
  });
  assert.throws(() => poll(guest, [{ type: 0, timeout: 1n }]), stop);
});

test("no subscription, an unknown kind and more than 1,024 are refused", () => {
  const guest = testGuest();
  assert.equal(poll(guest, []).errno, ERRNO.inval);
  assert.equal(poll(guest, [{ type: 3 }]).errno, ERRNO.inval);
  const many = Array.from({ length: 1_024 }, () => ({ type: 2, fd: 1 }));
  assert.equal(poll(guest, many).events.length, 1_024);
  assert.equal(poll(guest, [...many, { type: 2, fd: 1 }]).errno, ERRNO.inval);
});
