declare function queueMicrotask(callback: () => void): void;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare const performance: { now(): number };
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
}

interface Uint8Array {
  toBase64(): string;
  toHex(): string;
}
