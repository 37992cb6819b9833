import type { Attack } from "./attack.ts";

export const attacks: readonly Attack[] = [
  { title: "computes a power that has a hundred million digits", language: "python", code: "10**10**8", status: ["timeout", "out_of_memory"] },
  { title: "computes a power tower", language: "python", code: "9**9**9**9", status: ["timeout", "out_of_memory", "error"] },
  { title: "prints a number of ten million digits", language: "python", code: "print(len(str(1 << 33_000_000)))", status: ["timeout", "out_of_memory"] },
  { title: "returns a number of ten million digits", language: "python", code: "1 << 33_000_000", status: "ok" },
  { title: "reads a number of ten million digits", language: "python", code: "int('9' * 10_000_000)", status: ["timeout", "out_of_memory"] },
  { title: "takes a factorial of ten million", language: "python", code: "import math\nmath.factorial(10**7)", status: ["timeout", "out_of_memory"] },
  { title: "shifts by more than fits in memory", language: "python", code: "1 << (1 << 40)", status: "error" },
  { title: "takes a huge decimal power", language: "python", code: "import decimal\ndecimal.getcontext().prec = 10**8\n1 / decimal.Decimal(7)", status: ["timeout", "out_of_memory"] },
  { title: "formats a number to a billion places", language: "python", code: "f'{1.5:.2000000000f}'", status: "out_of_memory" },
  { title: "computes a power that has millions of digits", language: "javascript", code: "10n ** 100000000n", status: ["timeout", "out_of_memory", "error"] },
  { title: "prints a big integer of millions of digits", language: "javascript", code: "String(2n ** 20000000n).length", status: ["timeout", "out_of_memory", "error"] },
  { title: "returns a big integer of millions of digits", language: "javascript", code: "1n << 1000000n", status: "ok" },
  { title: "shifts a big integer by more than fits", language: "javascript", code: "1n << (1n << 40n)", status: "error" },
];
