import { SvelteMap } from 'svelte/reactivity'
import type { OpenedLog } from './desk/open-log.js'

/** Notes on figures by the name of the figure: plain text, as it was typed. */
export type Notes = SvelteMap<string, string>

const notesByLog = new WeakMap<OpenedLog, Notes>()

/** The notes that were taken on the figures of a log. They go into its saved reports, and away with it. */
export function notesOn(log: OpenedLog): Notes {
  const notes = notesByLog.get(log) ?? new SvelteMap<string, string>()
  notesByLog.set(log, notes)
  return notes
}

/** The same as a record, for a report or a file; notes that are nothing but space are left out. */
export const writtenNotes = (notes: Notes): Record<string, string> =>
  Object.fromEntries([...notes].flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])))
