import type { Log } from '../log/log.js'
import type { Arguments, Context } from './command.js'
import { writeJson } from './json.js'
import { text } from './parse.js'

/** What is known of a log that was drawn, beyond its rows. */
export interface Simulation {
  readonly world: string
  readonly dataset?: string
  readonly seed: number
  readonly replicate: number
  readonly policy: string
  readonly values: Readonly<Record<string, number>>
}

/** Writes the log and, where they are asked for, the catalogue and what is known of it as JSON. */
export async function writeSimulation(
  out: string,
  log: Log,
  simulation: Simulation,
  args: Arguments,
  context: Context,
): Promise<void> {
  const { signal } = context
  if (out === '-') {
    const { csvText } = await import('../log/write/text.js')
    for (const piece of csvText(log)) process.stdout.write(piece)
  } else {
    const { writeLogFile } = await import('../node/write-log.js')
    await writeLogFile(out, log, signal)
  }
  const catalogue = text(args, 'catalogue')
  if (catalogue !== undefined) {
    const { catalogueCsv } = await import('../log/write/text.js')
    const { writeAtomically } = await import('../node/write-atomically.js')
    await writeAtomically(catalogue, [catalogueCsv(log.itemIds)], signal)
  }
  const json = text(args, 'json')
  const { values, ...about } = simulation
  if (json !== undefined)
    await writeJson(json, { schema: 'hindcast.simulation/1', ...about, rows: log.rows, values }, context)
}

/** How a note about a log begins: with its file, unless it went to standard output. */
export const writtenTo = (out: string): string => (out === '-' ? '' : `Wrote ${out}: `)
