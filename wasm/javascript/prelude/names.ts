/** Gives a class or function, whose own name the bundler shortens, the name that shows when it is printed. */
export function setName(value: object, name: string): void {
  Object.defineProperty(value, "name", { value: name, configurable: true });
}
