/** The engine has no Atomics; what inspects values wants to list its functions while it loads. */
if (!("Atomics" in globalThis)) Object.defineProperty(globalThis, "Atomics", { value: {}, writable: true, configurable: true, enumerable: false });

export {};
