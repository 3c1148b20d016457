import { type KeptReading, readingIn } from '../../kept/kept-reading.js'
import { pending } from '../../kept/pending.svelte.js'
import type { KnownFile } from '../../kept/other-file.js'
import { logLink } from '../../session.svelte.js'

/** The file that a link or a session asks for, and how it was read. */
export interface WantedFile extends KnownFile {
  readonly by: 'link' | 'session'
  readonly kept?: KeptReading
  /** The file with its outcomes. */
  readonly outcomes?: KnownFile
}

/** The file that is asked for where none is open. */
export function wantedFile(): WantedFile | undefined {
  const { door, file, print, reading, outcomes, outcomesPrint } = logLink
  if (door !== 'file') return undefined
  const kept = readingIn(reading)
  return {
    by: pending.session ? 'session' : 'link',
    name: file,
    print,
    ...(kept && { kept }),
    ...(outcomes !== '' && { outcomes: { name: outcomes, print: outcomesPrint } }),
  }
}
