import type { Arguments, Command, Context } from '../cli/command.js'
import { parseCommandLine } from '../cli/parse.js'

/** A terminal that nobody reads. */
export const context: Context = {
  terminal: { print: () => {}, note: () => {}, status: () => {}, style: (_, text) => text },
  signal: new AbortController().signal,
}

/** The words of a command, parsed by the command line. */
export function parsed(command: Command, [name, ...words]: readonly string[]): Arguments {
  if (name !== command.name) throw new Error(`${name} is not ${command.name}.`)
  return parseCommandLine(command, words)
}

/** Runs a command in this process and returns its exit code. */
export const run = (command: Command, words: readonly string[]): Promise<number> =>
  command.run(parsed(command, words), context)
