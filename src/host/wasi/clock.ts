import { refuse } from "../errno.ts";
import { CLOCK } from "../preview1.ts";
import type { WasiContext } from "./context.ts";
import type { Pointers } from "./pointers.ts";

const RESOLUTION_NS = 1_000n;

/** `clock_res_get` and `clock_time_get`. */
export function clockFunctions(context: WasiContext, guest: Pointers) {
  return {
    clock_res_get(id: number, resolutionAt: number): void {
      clockNow(context, id);
      guest.setU64(resolutionAt, RESOLUTION_NS);
    },
    clock_time_get(id: number, _precision: bigint, timeAt: number): void {
      guest.setU64(timeAt, clockNow(context, id));
    },
  };
}

/** Nanoseconds of a clock; CPU time is told as monotonic time. @throws WasiFault inval for an unknown clock. */
export function clockNow(context: WasiContext, id: number): bigint {
  switch (id) {
    case CLOCK.realtime:
      return context.clock.realtimeNs();
    case CLOCK.monotonic:
    case CLOCK.processCpu:
    case CLOCK.threadCpu:
      return context.clock.monotonicNs();
    default:
      return refuse("inval");
  }
}
