const notes = new Set<string>();
/** So many are told of one turn. */
const MOST = 20;

/** Adds a hint to the report of this turn. */
export function note(text: string): void {
  if (notes.size < MOST) notes.add(text.toWellFormed());
}

/** The hints noted since the last call. */
export function takeNotes(): string[] {
  const taken = [...notes];
  notes.clear();
  return taken;
}
