import type { WasiContext } from "./context.ts";

/** `proc_exit` and `sched_yield`. */
export function procFunctions(context: WasiContext) {
  return {
    proc_exit(code: number): void {
      context.exit(code >>> 0);
    },
    sched_yield(): void {},
  };
}
