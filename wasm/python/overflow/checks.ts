/** The loop of a ufunc: operands, count, strides (numpy's `PyUFuncGenericFunction`). */
const LOOP = "(param $args i32) (param $count i32) (param $steps i32) (param $data i32) (result i32)";
const OPERANDS = `
    (local $a i32) (local $b i32) (local $as i32) (local $bs i32) (local $n i32) (local $chain i32) (local $sticky i32) (local $bad i32)
    (local $x i64) (local $y i64) (local $r i64)
    (local.set $n (i32.load (local.get $count)))
    (if (i32.le_s (local.get $n) (i32.const 0)) (then (return (i32.const 0))))
    (local.set $a (i32.load (local.get $args)))
    (local.set $as (i32.load (local.get $steps)))`;
const SECOND = `
    (local.set $b (i32.load offset=4 (local.get $args)))
    (local.set $bs (i32.load offset=4 (local.get $steps)))
    ;; a sum or a running sum takes what it gave last, which is not written yet
    (local.set $chain (i32.and
      (i32.eq (i32.load offset=8 (local.get $steps)) (local.get $as))
      (i32.eq (i32.load offset=8 (local.get $args)) (i32.add (local.get $a) (local.get $as)))))`;
const NEXT = `
      (local.set $a (i32.add (local.get $a) (local.get $as)))
      (local.set $b (i32.add (local.get $b) (local.get $bs)))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1))))`;

const wrapped = (value: string): string => `(i64.extend32_s ${value})`;
const overflows = (value: string): string => `(i64.ne ${value} ${wrapped(value)})`;

interface Binary {
  readonly name: string;
  readonly result: string;
  /** Whether a sum of it that leaves 32 bits on its way and comes back is right in the end. */
  readonly returns: boolean;
}

function binary({ name, result, returns }: Binary): string {
  return `(func (export "${name}") ${LOOP} ${OPERANDS} ${SECOND}
    (local.set $r (i64.load32_s (local.get $a)))
    (local.set $sticky ${returns ? "(i32.load offset=8 (local.get $steps))" : "(i32.const 1)"})
    (loop $next
      (local.set $r (${result} (select (local.get $r) (i64.load32_s (local.get $a)) (local.get $chain)) (i64.load32_s (local.get $b))))
      (local.set $bad (i32.or
        (select (local.get $bad) (i32.const 0) (local.get $sticky))
        ${overflows("(local.get $r)")}))
      ${returns ? "" : `(local.set $r ${wrapped("(local.get $r)")})`}
      ${NEXT})
    (local.get $bad))`;
}

const square = `(func (export "square") ${LOOP} ${OPERANDS}
    (loop $next
      (local.set $x (i64.load32_s (local.get $a)))
      (local.set $x (i64.mul (local.get $x) (local.get $x)))
      (local.set $bad (i32.or (local.get $bad) ${overflows("(local.get $x)")}))
      ${NEXT})
    (local.get $bad))`;

const shift = `(func (export "left_shift") ${LOOP} ${OPERANDS} ${SECOND}
    (loop $next
      (local.set $x (i64.load32_s (local.get $a)))
      (local.set $y (i64.load32_u (local.get $b)))
      (local.set $r (i64.shl (local.get $x) (local.get $y)))
      (local.set $bad (i32.or (local.get $bad) (i32.or
        ${overflows("(local.get $r)")}
        (i32.and (i64.ge_u (local.get $y) (i64.const 32)) (i64.ne (local.get $x) (i64.const 0))))))
      ${NEXT})
    (i32.and (local.get $bad) (i32.eqz (local.get $chain))))`;

/** By squaring, as numpy does; the square that no digit asks for any more is not made. Negative exponents are numpy's to refuse. */
const power = `(func (export "power") ${LOOP} ${OPERANDS} ${SECOND}
    (loop $next
      (local.set $x (i64.load32_s (local.get $a)))
      (local.set $y (i64.load32_s (local.get $b)))
      (local.set $r (i64.const 1))
      (block $done (loop $digit
        (br_if $done (i64.le_s (local.get $y) (i64.const 0)))
        (if (i32.or ${overflows("(local.get $x)")} ${overflows("(local.get $r)")}) (then (local.set $bad (i32.const 1)) (br $done)))
        (if (i64.ne (i64.and (local.get $y) (i64.const 1)) (i64.const 0)) (then (local.set $r (i64.mul (local.get $r) (local.get $x)))))
        (local.set $y (i64.shr_u (local.get $y) (i64.const 1)))
        (local.set $x (i64.mul (local.get $x) (local.get $x)))
        (br $digit)))
      (local.set $bad (i32.or (local.get $bad) ${overflows("(local.get $r)")}))
      ${NEXT})
    (i32.and (local.get $bad) (i32.eqz (local.get $chain))))`;

const dot = `(func (export "dot") (param $a i32) (param $as i32) (param $b i32) (param $bs i32) (param $out i32) (param $n i32) (param $array i32) (result i32)
    (local $r i64)
    (if (i32.le_s (local.get $n) (i32.const 0)) (then (return (i32.const 0))))
    (loop $next
      (local.set $r (i64.add (local.get $r) (i64.mul (i64.load32_s (local.get $a)) (i64.load32_s (local.get $b)))))
      ${NEXT})
    ${overflows("(local.get $r)")})`;

const word = (pointer: string, at: number): string => `(i32.load offset=${at * 4} (local.get $${pointer}))`;
const moved = (name: string, step: string): string => `(local.set $${name} (i32.add (local.get $${name}) ${step}))`;

/** Counts: matrices, rows, inner, columns. Strides: of a matrix in each operand, then of row and column in each. */
const matmul = `(func (export "matmul") ${LOOP}
    (local $a i32) (local $b i32) (local $row i32) (local $column i32) (local $left i32) (local $i i32) (local $j i32) (local $k i32)
    (local $p i32) (local $q i32) (local $ps i32) (local $qs i32) (local $bad i32) (local $r i64)
    (local.set $a ${word("args", 0)}) (local.set $b ${word("args", 1)}) (local.set $left ${word("count", 0)})
    (local.set $ps ${word("steps", 4)}) (local.set $qs ${word("steps", 5)})
    (block $over (loop $matrix
      (br_if $over (i32.le_s (local.get $left) (i32.const 0)))
      (local.set $row (local.get $a)) (local.set $i ${word("count", 1)})
      (block $rows (loop $nextRow
        (br_if $rows (i32.le_s (local.get $i) (i32.const 0)))
        (local.set $column (local.get $b)) (local.set $j ${word("count", 3)})
        (block $columns (loop $nextColumn
          (br_if $columns (i32.le_s (local.get $j) (i32.const 0)))
          (local.set $p (local.get $row)) (local.set $q (local.get $column)) (local.set $k ${word("count", 2)})
          (local.set $r (i64.const 0))
          (block $sum (loop $next
            (br_if $sum (i32.le_s (local.get $k) (i32.const 0)))
            (local.set $r (i64.add (local.get $r) (i64.mul (i64.load32_s (local.get $p)) (i64.load32_s (local.get $q)))))
            ${moved("p", "(local.get $ps)")} ${moved("q", "(local.get $qs)")} ${moved("k", "(i32.const -1)")}
            (br $next)))
          (local.set $bad (i32.or (local.get $bad) ${overflows("(local.get $r)")}))
          ${moved("column", word("steps", 6))} ${moved("j", "(i32.const -1)")}
          (br $nextColumn)))
        ${moved("row", word("steps", 3))} ${moved("i", "(i32.const -1)")}
        (br $nextRow)))
      ${moved("a", word("steps", 0))} ${moved("b", word("steps", 1))} ${moved("left", "(i32.const -1)")}
      (br $matrix)))
    (local.get $bad))`;

/**
 * Functions that tell, before numpy computes with 32-bit integers, whether the result will fit: 1 when it won't. Each
 * takes what numpy's own takes, reads the operands and writes nothing.
 */
export const CHECKS = `(module (memory 1)
  ${binary({ name: "add", result: "i64.add", returns: true })}
  ${binary({ name: "subtract", result: "i64.sub", returns: true })}
  ${binary({ name: "multiply", result: "i64.mul", returns: false })}
  ${square}
  ${shift}
  ${power}
  ${dot}
  ${matmul}
)`;

/** The functions of numpy that compute so, by the check of each. C has two types of 32 bits here, and numpy one of each. */
export const CHECKED = Object.fromEntries(
  ["add", "subtract", "multiply", "square", "left_shift", "power", "dot", "matmul"].flatMap((name) => [
    [`INT_${name}`, name],
    [`LONG_${name}`, name],
  ]),
);
