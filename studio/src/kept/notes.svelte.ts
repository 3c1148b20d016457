/** Notes of one's own about the log that is open, by view: plain text. */
export const notes: Record<string, string> = $state({})

/** Replaces all notes. */
export function takeNotes(given: Readonly<Record<string, string>>): void {
  for (const view of Object.keys(notes)) delete notes[view]
  for (const [view, text] of Object.entries(given)) notes[view] = text
}
