/** Notes of one's own about the log that is open: plain text, by view, and by figure as `figure:estimates`. */
export const notes: Record<string, string> = $state({})

/** Replaces all notes. */
export function takeNotes(given: Readonly<Record<string, string>>): void {
  for (const view of Object.keys(notes)) delete notes[view]
  for (const [view, text] of Object.entries(given)) notes[view] = text
}

/** Notes on figures, by the name of the figure. */
export interface FigureNotes {
  get(figure: string): string
  set(figure: string, text: string): void
  /** Those with more than space in them, for a report. */
  written(): Record<string, string>
}

/** The notes on the figures of the open log, or of one of its models. They go into saved reports, and with the session. */
export function figureNotes(model?: number): FigureNotes {
  const prefix = model === undefined ? 'figure:' : `figure-of-model-${model}:`
  return {
    get: (figure) => notes[prefix + figure] ?? '',
    set: (figure, text) => void (notes[prefix + figure] = text),
    written: () =>
      Object.fromEntries(
        Object.entries(notes)
          .filter(([key, text]) => key.startsWith(prefix) && text.trim() !== '')
          .map(([key, text]) => [key.slice(prefix.length), text.trim()]),
      ),
  }
}
