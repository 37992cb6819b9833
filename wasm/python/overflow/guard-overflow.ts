import { parse } from "@bytecodealliance/jco";
import { guardFunctions } from "../../meter/guard.ts";
import { CHECKED, CHECKS } from "./checks.ts";

/** The signal that tells the prelude of an overflow (`prelude/overflow.py`); nothing else raises it. */
const SIGNAL = 63;

/** Where numpy's computations return to what called them: there the handler runs, while the line is the one that computes. */
const RETURNS = [
  "ufunc_generic_fastcall", "PyUFunc_GenericReduction", "PyArray_MatrixProduct2", "PyArray_InnerProduct",
  "PyArray_Correlate", "PyArray_Correlate2", "array_vdot",
];

/**
 * The Python guest with a check before each of numpy's computations in 32-bit integers, which elsewhere have 64 bits
 * where code does not ask for 32: one that is about to overflow sets off a signal of CPython's own, which may be
 * done without the interpreter's lock, and whose handler runs when the computation is done.
 * @throws BAD_MODULE when a function of numpy is not there under its name or takes something else
 */
export async function guardOverflow(module: Uint8Array): Promise<Uint8Array> {
  return guardFunctions(module, {
    checks: await parse(CHECKS),
    before: CHECKED,
    tell: { function: "PyErr_SetInterruptEx", argument: SIGNAL },
    after: { functions: RETURNS, look: "PyErr_CheckSignals", release: "_Py_DecRef" },
  });
}
