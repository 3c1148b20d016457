import type { Terminal } from './terminal.js'
import type { Named, Registry } from '../registry.js'

/** An option of a command. */
export interface Option {
  readonly short?: string
  /** What stands for the value in help texts: FILE, N; an option without it takes none. */
  readonly value?: string
  readonly help: string
  /** Takes every word up to the next option: `--targets A B`. */
  readonly many?: boolean
  /** May be given several times: `--accept A=why --accept B=why`. */
  readonly repeated?: boolean
  /** The files and folders that the command writes for this value: none of them may be one that it reads. */
  readonly writes?: (typed: string) => readonly string[]
}

/** What the user typed, parsed. */
export interface Arguments {
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

/** What a command may use besides its arguments. */
export interface Context {
  readonly terminal: Terminal
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** A command as the help lists it; loaded only when it runs. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** One command of the command line: its options, its help, what it does. */
export interface Command {
  readonly name: string
  /** How it is called, after `hindcast`. */
  readonly usage: string
  /** What it does, in a sentence or two. */
  readonly about: string
  readonly options: Readonly<Record<string, Option>>
  /** Commands to try, each with what it does. */
  readonly examples: readonly (readonly [command: string, does: string])[]
  /** Choices with their meanings. */
  readonly lists?: readonly ChoiceList[]
  /** Further paragraphs at the end of the help. */
  readonly notes?: readonly string[]
  /** Returns the exit code: 0 for success, 1 for a bad answer. Errors are thrown. */
  run(args: Arguments, context: Context): Promise<number>
}

/** The choices of an option, in two columns of its help. */
export interface ChoiceList {
  readonly heading: string
  /** How each is typed and what it means; computed when help is shown, to include what was added since. */
  rows(): readonly (readonly [typed: string, meaning: string])[]
}

/** The things of a registry as a list; `typed` returns how one is typed where that is more than its name. */
export const choiceList = <Thing extends Named>(
  heading: string,
  registry: Registry<Thing>,
  typed: (thing: Thing) => string = ({ name }) => name,
): ChoiceList => ({
  heading,
  rows: () => registry.all.map((thing) => [typed(thing), thing.meaning]),
})
