import { costOf, ENTRY_COST, hasFixedLength } from "./cost.ts";
import * as flows from "./flow.ts";
import { newInstruction, readInstruction, type Spaces } from "./instruction.ts";
import { isBulk, OP } from "./opcodes.ts";
import { type Cursor, refuse } from "./reader.ts";

/** An instruction that what the pass writes has to go around. */
export interface Spot {
  /** Offsets of its opcode and of what follows it. */
  readonly at: number;
  readonly end: number;
  /** A bulk operation whose length only shows when it runs, a call that comes back, or a way out of the function. */
  readonly kind: "bulk" | "call" | "leave";
  /** Of a bulk operation. */
  readonly sub: number;
  /** The function that is called by its name. */
  readonly callee: number | undefined;
}

/** What was met on the way through one function. Used again for the next one. */
export interface Trace {
  readonly flow: flows.Flow;
  readonly spots: Spot[];
  /** Whether exceptions are caught here. */
  catches: boolean;
  loops: number;
  /** Calls and tail calls. */
  calls: number;
}

export function newTrace(): Trace {
  return { flow: flows.newFlow(), spots: [], catches: false, loops: 0, calls: 0 };
}

const instruction = newInstruction();

function fits(ok: boolean, cursor: Cursor, why: string): void {
  if (!ok) refuse(cursor, why, instruction.at);
}

/**
 * Reads one function's instructions to its end and finds the segments.
 * @param cursor at the first instruction; afterwards at the end
 * @param locals parameters and locals of the function
 * @param ahead fuel that a call pays for the function it calls, by the function's index
 * @throws BAD_MODULE for labels and nesting that don't fit, and whatever {@link readInstruction} refuses
 */
export function traceBody(cursor: Cursor, spaces: Spaces, locals: number, ahead: Int32Array, into: Trace): void {
  const { flow } = into;
  flows.startFlow(flow, cursor.at);
  flows.addCost(flow, ENTRY_COST);
  into.spots.length = 0;
  into.catches = false;
  into.loops = 0;
  into.calls = 0;
  while (flow.frames.length > 0) {
    readInstruction(cursor, spaces, locals, instruction);
    flows.addCost(flow, costOf(instruction));
    control(cursor, ahead, into);
  }
  if (cursor.at !== cursor.end) refuse(cursor, "code after the end of its function");
}

function control(cursor: Cursor, ahead: Int32Array, into: Trace): void {
  const { flow } = into;
  const { op, index } = instruction;
  const callee = op === OP.call || op === OP.returnCall ? index : undefined;
  const spot = (kind: Spot["kind"]): void => void into.spots.push({ at: instruction.at, end: cursor.at, kind, sub: instruction.sub, callee });
  switch (op) {
    case OP.loop:
      into.loops++;
      flows.enter(flow, op, cursor.at);
      break;
    case OP.block: case OP.if:
      flows.enter(flow, op, cursor.at);
      break;
    case OP.try: case OP.tryTable:
      into.catches = true;
      flows.enter(flow, op, cursor.at);
      if (op === OP.tryTable) fits(flows.catchTo(flow, instruction.targets), cursor, "a catch without its label");
      break;
    case OP.else: case OP.catch: case OP.catchAll:
      fits(flows.alternative(flow, op, cursor.at), cursor, op === OP.else ? "an else without its if" : "a catch without its try");
      break;
    case OP.end: case OP.delegate:
      flows.finish(flow, cursor.at);
      break;
    case OP.br: case OP.brIf: case OP.brOnNull: case OP.brOnNonNull:
      fits(flows.branch(flow, [index], op !== OP.br, cursor.at), cursor, `label ${index} of ${flow.frames.length}`);
      break;
    case OP.brTable:
      fits(flows.branch(flow, instruction.targets, false, cursor.at), cursor, "a branch without its label");
      break;
    case OP.unreachable:
      flows.trap(flow);
      break;
    case OP.return: case OP.throw: case OP.throwRef: case OP.rethrow:
      spot("leave");
      flows.leave(flow);
      break;
    case OP.call: case OP.returnCall:
      spot(op === OP.call ? "call" : "leave");
      into.calls++;
      flows.addCall(flow);
      flows.addCost(flow, ahead[index] ?? 0);
      if (op === OP.returnCall) flows.leave(flow);
      break;
    case OP.callIndirect: case OP.callRef:
      spot("call");
      into.calls++;
      flows.addCall(flow);
      break;
    case OP.returnCallIndirect: case OP.returnCallRef:
      spot("leave");
      into.calls++;
      flows.addCall(flow);
      flows.leave(flow);
      break;
    case OP.misc:
      if (isBulk(instruction.sub) && !hasFixedLength(instruction)) {
        spot("bulk");
      }
      break;
    default:
  }
}
