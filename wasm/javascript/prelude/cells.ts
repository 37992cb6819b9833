/**
 * Values that the host and the guest hand each other beside the door, since no function of the
 * engine's interface can: the host knows where these items lie in memory. The first holds the error of
 * an interrupt; the last whether a timer of an earlier turn runs, the others promises that were
 * rejected while nothing handled them. The numbers are what the build finds them by.
 */
const cells: unknown[] = [1_583_465_182, 912_837_465, 1_029_384_756, 847_362_514, 0, 0, 0, 0, 0];
const OLD_TIMER = cells.length - 1;

/** Puts the error of an interrupt where the host looks for it. */
export function showError(error: unknown): void {
  cells[0] = error;
}

/** Lets go of that error. */
export function hideError(): void {
  cells[0] = 0;
}

/** Tells whether what runs now is what an earlier turn has set a timer for. */
export function showOldTimer(runs: boolean): void {
  cells[OLD_TIMER] = runs ? 1 : 0;
}

/** Whether there are promises whose rejection nothing has handled; asks nothing of what the code may have changed. */
export function hasRejected(): boolean {
  for (let index = 1; index < OLD_TIMER; index += 1) if (cells[index] !== 0) return true;
  return false;
}

/** Takes the promises whose rejection nothing has handled. */
export function takeRejected(): Promise<unknown>[] {
  const promises: Promise<unknown>[] = [];
  for (let index = 1; index < OLD_TIMER; index += 1) {
    const promise = cells[index];
    if (promise instanceof Promise) promises.push(promise);
    cells[index] = 0;
  }
  return promises;
}
