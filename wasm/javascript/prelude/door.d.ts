/** The door of wasm/guest.wit, as the runtime serves it. */
declare module "belljar:guest/door" {
  const door: {
    enter(): void;
    catchable(report: string): void;
    /** `text` must be well-formed. */
    write(stream: "stdout" | "stderr", text: string): void;
    wait(milliseconds: number): boolean;
    monotonic(): number;
    full(): boolean;
    random(count: number): Uint8Array;
    /** `request` must be well-formed. */
    file(request: string, content: Uint8Array): [answer: string, content: Uint8Array];
    /** Asks something of the network, and may wait; `request` must be well-formed. */
    net(request: string, content: Uint8Array): [answer: string, content: Uint8Array];
    exit(code: number): never;
  };
  export default door;
}
