import { isIPv4, isIPv6 } from "node:net";

/** A range of addresses that is not the public network: its first address, bits that count, and what it is. */
type Range = readonly [first: string, bits: number, kind: string];

/** IANA's special-purpose registry of IPv4 (RFC 6890), and what clouds answer their machines on. The narrower come first. */
const RANGES_V4: readonly Range[] = [
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.100.100.200", 32, "cloud metadata"],
  ["100.64.0.0", 10, "carrier-grade NAT"],
  ["127.0.0.0", 8, "loopback"],
  ["168.63.129.16", 32, "cloud metadata"],
  ["169.254.169.254", 32, "cloud metadata"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.192", 32, "cloud metadata"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "documentation"],
  ["192.88.99.0", 24, "6to4 relay"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "benchmark"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["224.0.0.0", 4, "multicast"],
  ["255.255.255.255", 32, "broadcast"],
  ["240.0.0.0", 4, "reserved"],
];

/** The same of IPv6; what is neither here nor in 2000::/3 is not assigned. */
const RANGES_V6: readonly Range[] = [
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["64:ff9b:1::", 48, "local NAT64"],
  ["100::", 64, "discard"],
  ["2001:db8::", 32, "documentation"],
  ["2001::", 23, "reserved"],
  ["3fff::", 20, "documentation"],
  ["fd00:ec2::254", 128, "cloud metadata"],
  ["fd20:ce::254", 128, "cloud metadata"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "site-local"],
  ["ff00::", 8, "multicast"],
];

/** Ranges of IPv6 that lead to an IPv4 address, and how many bits follow it: mapped, translated, NAT64 (RFC 6052), 6to4. */
const CARRIERS: readonly (readonly [first: string, bits: number, after: number])[] = [
  ["::ffff:0:0", 96, 0],
  ["::ffff:0:0:0", 96, 0],
  ["64:ff9b::", 96, 0],
  ["2002::", 16, 80],
];
const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED = 0xffffn << 32n;

const rangesV4 = RANGES_V4.map(([first, bits, kind]) => ({ first: valueV4(first), shift: BigInt(V4_BITS - bits), kind }));
const rangesV6 = RANGES_V6.map(([first, bits, kind]) => ({ first: valueV6(first), shift: BigInt(V6_BITS - bits), kind }));
const carriers = CARRIERS.map(([first, bits, after]) => ({ first: valueV6(first), shift: BigInt(V6_BITS - bits), after: BigInt(after) }));

/**
 * What makes an address no part of the public network ("private", "loopback", …); undefined when it is one.
 * An IPv6 address that leads to an IPv4 one is judged by that. What is no address at all is "malformed".
 */
export function reservedKind(address: string): string | undefined {
  if (isIPv4(address)) return kindV4(valueV4(address));
  if (!isIPv6(address)) return "malformed";
  // Only addresses of one link have a zone.
  if (address.includes("%")) return "link-local";
  const value = valueV6(address);
  const carrier = carriers.find(({ first, shift }) => value >> shift === first >> shift);
  if (carrier !== undefined) return kindV4((value >> carrier.after) & 0xffff_ffffn);
  const known = rangesV6.find(({ first, shift }) => value >> shift === first >> shift)?.kind;
  return known ?? (value >> 125n === 1n ? undefined : "reserved");
}

/** Whether two texts are the same address; one of IPv4 and its mapped form are. */
export function isSameAddress(one: string, other: string): boolean {
  const value = valueOf(one);
  return value !== undefined && value === valueOf(other);
}

function kindV4(value: bigint): string | undefined {
  return rangesV4.find(({ first, shift }) => value >> shift === first >> shift)?.kind;
}

function valueOf(address: string): bigint | undefined {
  if (isIPv4(address)) return MAPPED | valueV4(address);
  return isIPv6(address) && !address.includes("%") ? valueV6(address) : undefined;
}

function valueV4(address: string): bigint {
  return address.split(".").reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** The text is known to be an address (RFC 4291, section 2.2), without a zone. */
function valueV6(address: string): bigint {
  const [before = [], after = []] = address.split("::").map((half) => (half === "" ? [] : half.split(":").flatMap(groups)));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** One group, or the two that an IPv4 address at the end stands for. */
function groups(text: string): number[] {
  if (!text.includes(".")) return [Number.parseInt(text, 16)];
  const value = Number(valueV4(text));
  return [Math.floor(value / 65_536), value % 65_536];
}
