import { parseArgs } from 'node:util'
import { HindcastError } from '../error.js'
import { suggest } from '../suggest.js'
import type { Arguments, Command, Option } from './command.js'

/** Parses the arguments of a command; an unknown option is an error that suggests a similar one. */
export function parseCommandLine(command: Command, argv: readonly string[]): Arguments {
  const known = Object.keys(command.options)
  const own = Object.entries<Option>(command.options).map(([name, { value, short, repeated: multiple }]) => [
    name,
    {
      type: value === undefined ? 'boolean' : 'string',
      ...(short && { short }),
      ...(multiple && { multiple }),
    },
  ])
  const options = {
    ...Object.fromEntries(own),
    help: { type: 'boolean', short: 'h' },
    debug: { type: 'boolean' },
  }
  try {
    const { values, positionals } = parseArgs({
      args: joinMany(command, argv),
      options,
      allowPositionals: true,
      strict: true,
    })
    return { positionals, values: values as Arguments['values'] }
  } catch (cause) {
    const option = /'(--?[^'=\s]+)/.exec((cause as Error).message)?.[1] ?? ''
    const name = option.replace(/^-+/, '')
    if ((cause as { code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const meant = suggest(name, known)
      throw new HindcastError('unknown-name', `hindcast ${command.name} has no option ${option}.`, {
        remedy: `${meant ? `Did you mean --${meant}? ` : ''}See hindcast ${command.name} --help.`,
      })
    }
    const { value } = command.options[name] ?? {}
    throw new HindcastError(
      'bad-option',
      value ? `--${name} needs a value: --${name} ${value}.` : `--${name} takes no value.`,
      {
        remedy: `See hindcast ${command.name} --help.`,
      },
    )
  }
}

/** Turns `--targets A B` into `--targets A,B` for the options that take several words. */
function joinMany(command: Command, argv: readonly string[]): string[] {
  const joined: string[] = []
  let isOpen = false
  for (const word of argv) {
    if (word.startsWith('-') && word !== '-') {
      isOpen = command.options[word.replace(/^--/, '')]?.many === true
      joined.push(word)
    } else if (isOpen && !joined.at(-1)!.startsWith('--')) joined.push(`${joined.pop()},${word}`)
    else joined.push(word)
  }
  return joined
}

/** The single positional argument of a command. */
export function onlyPositional(args: Arguments, command: string, what: string): string {
  const [first, second] = args.positionals
  if (first === undefined)
    throw new HindcastError('bad-option', `hindcast ${command} needs ${what}.`, {
      remedy: `See hindcast ${command} --help.`,
    })
  if (second !== undefined)
    throw new HindcastError(
      'bad-option',
      `hindcast ${command} takes one ${what.replace(/^an? /, '')}, but also got ${JSON.stringify(second)}.`,
      {
        remedy: `See hindcast ${command} --help.`,
      },
    )
  return first
}

/** The text of an option. */
export const text = (args: Arguments, name: string): string | undefined =>
  args.values[name] as string | undefined

/** The texts of an option that may be given several times. */
export const repeated = (args: Arguments, name: string): readonly string[] =>
  (args.values[name] as readonly string[] | undefined) ?? []

/** The value of an option as a number; anything else is an error. */
export function number(args: Arguments, name: string): number | undefined {
  const typed = text(args, name)
  if (typed === undefined) return undefined
  const value = typed.trim() === '' ? NaN : typed.toLowerCase() === 'infinity' ? Infinity : Number(typed)
  if (Number.isNaN(value))
    throw new HindcastError('bad-option', `--${name} expects a number, not ${JSON.stringify(typed)}.`, {
      remedy: `For example: --${name} 0.5`,
    })
  return value
}

/** A whole number of at least 0, as for seeds. */
export function wholeNumber(args: Arguments, name: string): number | undefined {
  const value = number(args, name)
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    throw new HindcastError('bad-option', `--${name} expects a whole number of at least 0, not ${value}.`, {
      remedy: `For example: --${name} 7`,
    })
  return value
}

/** The value of an option that accepts certain words only. */
export function oneOf<Choice extends string>(
  args: Arguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const typed = text(args, name)
  if (typed === undefined || (choices as readonly string[]).includes(typed))
    return typed as Choice | undefined
  throw new HindcastError('bad-option', `--${name} does not accept ${JSON.stringify(typed)}.`, {
    remedy: `Choose one of ${choices.join(', ')}.`,
  })
}
