/** A magnitude as decimal digits: `0.digits × 10^point`. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

/** The shortest digits that name the number, as `String` gives them. */
export function toDecimal(value: number | bigint): Decimal {
  const [mantissa = "", exponent = "0"] = String(value < 0 ? -value : value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "");
  return { digits: digits.replace(/0+$/, ""), point: digits === "" ? 0 : whole.length + Number(exponent) - (all.length - digits.length) };
}

/** Keeps so many digits, halves going away from zero (ECMA-402, "halfExpand"). */
function keep({ digits, point }: Decimal, count: number): Decimal {
  if (count >= digits.length) return { digits, point };
  if (count < 0) return { digits: "", point: 0 };
  const up = (digits[count] ?? "0") >= "5";
  const head = digits.slice(0, count);
  if (!up) return { digits: head.replace(/0+$/, ""), point };
  const raised = String(BigInt(`1${head}`) + 1n);
  const carried = raised[0] === "2";
  return { digits: (carried ? `1${raised.slice(1)}` : raised.slice(1)).replace(/0+$/, ""), point: carried ? point + 1 : point };
}

export function roundToFraction(decimal: Decimal, places: number): Decimal {
  return keep(decimal, decimal.point + places);
}

export function roundToSignificant(decimal: Decimal, count: number): Decimal {
  return keep(decimal, count);
}

/** Plain notation with at least so many places. */
export function toPlain({ digits, point }: Decimal, minimumPlaces: number): { readonly whole: string; readonly fraction: string } {
  const padded = point > 0 ? digits.padEnd(point, "0") : "0".repeat(-point) + digits;
  const whole = point > 0 ? padded.slice(0, point) : "";
  const fraction = digits === "" ? "" : padded.slice(Math.max(point, 0));
  return { whole: whole === "" ? "0" : whole, fraction: fraction.padEnd(minimumPlaces, "0") };
}
