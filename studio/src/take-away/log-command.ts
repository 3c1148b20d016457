import { commandLine } from '$core/commands/command-line.js'
import type { LogChoices } from '$core/commands/log-choices.js'
import { simulateCommandOf } from '$core/commands/simulate-command.js'
import type { LogSource } from '../desk/log-source.js'

/** The log on the command line: the commands that write it to a file, and the file as other commands read it. */
export function logCommand(source: LogSource): { lines: readonly string[]; log: LogChoices } {
  if (source.kind === 'file') {
    const { file: own, outcomes, reading } = source
    const events = outcomes && ('kinds' in outcomes ? outcomes.kinds : outcomes.file.name)
    return { lines: [], log: { file: own.name, ...reading, ...(events && { outcomes: events }) } }
  }
  const file = `${source.kind}.csv`
  // A log says nothing about items that were never shown, but here they are known.
  const catalogue = `${source.kind}-items.csv`
  const { seed } = source
  const words =
    source.kind === 'toy'
      ? simulateCommandOf({ world: 'toy', out: file, catalogue, options: { seed } })
      : simulateCommandOf({
          world: 'movielens',
          out: file,
          catalogue,
          dataset: 'simulated-100k',
          options: { seed, temperature: source.temperature },
        })
  return { lines: [commandLine(words)], log: { file, catalogue } }
}
