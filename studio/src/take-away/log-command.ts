import { commandLine, commandWords } from '$core/commands/command-line.js'
import { type LogChoices, logOptions } from '$core/commands/log-choices.js'
import { type SimulateChoices, simulateCommandOf } from '$core/commands/simulate-command.js'
import type { LogSource } from '../desk/log-source.js'
import { MENDED_FILE } from '../desk/mended-log.js'
import { SHOP } from '../desk/shop-world.js'

/** The log on the command line: the commands that write it to a file, and the file as other commands read it. */
export function logCommand(source: LogSource): { lines: readonly string[]; log: LogChoices } {
  if (source.kind === 'file') {
    const { file: own, outcomes, reading } = source
    const events = outcomes && ('kinds' in outcomes ? outcomes.kinds : outcomes.file.name)
    const log = { file: own.name, ...reading, ...(events && { outcomes: events }) }
    return reading.mended ? mendedCommand(log) : { lines: [], log }
  }
  const file = `${source.kind}.csv`
  // A log says nothing about items that were never shown, but here they are known.
  const catalogue = `${source.kind}-items.csv`
  const words = simulateCommandOf({ ...worldChoices(source, file), catalogue })
  return { lines: [commandLine(words)], log: { file, catalogue } }
}

/** The doctor writes the mended log to a file of its own; its rows have the columns of a log. */
function mendedCommand({
  propensity,
  skipBadRows: _skip,
  ...log
}: LogChoices): ReturnType<typeof logCommand> {
  const words = commandWords('doctor', log.file, { ...logOptions(log), fix: true, out: MENDED_FILE })
  return {
    lines: [commandLine(words)],
    log: { file: MENDED_FILE, ...(propensity !== undefined && { propensity }) },
  }
}

/** The world behind a door, as `simulate` names it. */
function worldChoices(source: Exclude<LogSource, { kind: 'file' }>, out: string): SimulateChoices {
  const { seed } = source
  switch (source.kind) {
    case 'shop':
      return { out, world: 'tastes', options: { seed, ...SHOP } }
    case 'toy':
      return { out, world: 'toy', options: { seed } }
    case 'movielens': {
      const { temperature } = source
      return { out, world: 'movielens', dataset: 'simulated-100k', options: { seed, temperature } }
    }
  }
}
