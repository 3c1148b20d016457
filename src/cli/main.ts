import { HindcastError } from '../error.js'
import { suggest } from '../suggest.js'
import type { Command, Context, ListedCommand } from './command.js'
import { COMMANDS } from './commands.js'
import { columns, wrap } from './format.js'
import { asOptions } from './option-words.js'
import { parseCommandLine } from './parse.js'
import { processTerminal, type Terminal } from './terminal.js'

/** Runs one of the commands, by default those of the package, and sets the exit code of the process. */
export async function main(
  argv: readonly string[],
  commands: readonly ListedCommand[] = COMMANDS,
): Promise<void> {
  const terminal = processTerminal()
  watchStandardStreams()
  const interruption = new AbortController()
  // A job that is ended has queries to cancel and files to tidy up, as one that is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      // A second Ctrl-C does not wait for a clean end.
      if (interruption.signal.aborted) process.exit(130)
      interruption.abort()
    })
  try {
    process.exitCode = await run(argv, commands, { terminal, signal: interruption.signal })
  } catch (error) {
    process.exitCode = report(error, terminal, argv.includes('--debug'))
  }
}

async function run(
  argv: readonly string[],
  commands: readonly ListedCommand[],
  context: Context,
): Promise<number> {
  const { terminal } = context
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const topic = name === 'help' ? rest[0] : undefined
    terminal.print(
      topic === undefined
        ? programHelp(commands, terminal)
        : commandHelp(await loadCommand(topic, commands), terminal),
    )
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V') {
    const { readVersion } = await import('../node/version.js')
    terminal.print(readVersion())
    return 0
  }
  const command = await loadCommand(name, commands)
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(commandHelp(command, terminal))
    return 0
  }
  const args = parseCommandLine(command, rest)
  const { refuseOntoInputs } = await import('./outputs.js')
  await refuseOntoInputs(command, args)
  const { protectInputs } = await import('../node/protected-inputs.js')
  const release = protectInputs()
  try {
    return await command.run(args, context)
  } finally {
    release()
  }
}

async function loadCommand(name: string, commands: readonly ListedCommand[]): Promise<Command> {
  const entry = commands.find((candidate) => candidate.name === name)
  if (entry) return entry.load()
  const meant = suggest(
    name,
    commands.map((candidate) => candidate.name),
  )
  throw new HindcastError('unknown-name', `There is no command ${JSON.stringify(name)}.`, {
    remedy: `${meant ? `Did you mean hindcast ${meant}? ` : ''}See hindcast --help.`,
  })
}

/** Prints an error and its remedy; the stack trace only if asked for. Returns the exit code. */
function report(error: unknown, terminal: Terminal, withStack: boolean): number {
  const known = error instanceof HindcastError || isOutOfMemory(error)
  const { message, remedy } =
    error instanceof HindcastError
      ? error.worded(asOptions)
      : isOutOfMemory(error)
        ? { message: 'There is not enough memory.', remedy: OUT_OF_MEMORY }
        : { message: `unexpected error: ${String(error)}`, remedy: undefined }
  terminal.note(`${terminal.style('red', 'hindcast:')} ${message}`)
  if (remedy !== undefined) terminal.note(wrap(remedy))
  if (!known && !withStack) terminal.note('Run it again with --debug for the stack trace.')
  for (let cause = error; withStack && cause instanceof Error; cause = cause.cause)
    terminal.note(cause.stack ?? '')
  return error instanceof HindcastError && error.code === 'interrupted' ? 130 : 2
}

const OUT_OF_MEMORY =
  'Close other programs or raise the memory limit, or use a smaller log. To evaluate with less memory, use --engine duckdb.'

/** What Node throws where an array does not fit into memory. */
const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError &&
  /allocation failed|Invalid (typed )?array (buffer )?length/i.test(error.message)

/** `hindcast … | head` closes the pipe early: not an error. A full disk is one. */
function watchStandardStreams(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    const why = error.code === 'ENOSPC' ? 'the disk is full' : error.code
    process.stderr.write(`hindcast: Standard output could not be written: ${why}.\n`)
    process.exit(2)
  })
  // Nobody can be told.
  process.stderr.on('error', () => undefined)
}

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['hindcast simulate toy --seed 7 --out toy.csv', 'make a log to try things on'],
  ['hindcast describe toy.csv --report toy.html', 'summarise it, with figures'],
  [
    'hindcast evaluate toy.csv --target uniform',
    'estimate what uniformly random recommendations would have earned',
  ],
  ['hindcast doctor clicks.parquet', 'find mistakes in a log of your own'],
]

/** The help of the whole program. */
function programHelp(commands: readonly ListedCommand[], terminal: Terminal): string {
  const heading = (text: string): string => terminal.style('bold', text)
  return [
    'Hindcast: would another recommendation policy have done better, and how sure are we?',
    '',
    heading('Usage'),
    '  hindcast COMMAND [options]',
    '',
    heading('Commands'),
    columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    heading('Examples'),
    exampleText(EXAMPLES),
    '',
    heading('Options'),
    columns([
      ['-h, --help', 'show this help; for one command: hindcast COMMAND --help'],
      ['-V, --version', 'print the version'],
      ['--debug', 'print the stack trace of an error'],
    ]),
    '',
    'Exit codes: 0 success, 1 bad answer (a refused verdict, a problem found), 2 wrong\nusage or input, 130 interrupted.',
  ].join('\n')
}

/** The help of one command. */
export function commandHelp(command: Command, terminal: Terminal): string {
  const heading = (text: string): string => terminal.style('bold', text)
  const options = Object.entries(command.options).map(([name, { short, value, help }]): [string, string] => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    help,
  ])
  return [
    wrap(command.about),
    '',
    heading('Usage'),
    wrap(`hindcast ${command.usage}`, 80, '  '),
    '',
    heading('Options'),
    columns([...options, ['-h, --help', 'show this help']]),
    '',
    heading('Examples'),
    exampleText(command.examples),
    ...(command.lists ?? []).flatMap((list) => ['', heading(list.heading), columns(list.rows())]),
    ...(command.notes ? ['', ...command.notes.map((note) => wrap(note))] : []),
  ].join('\n')
}

const exampleText = (examples: readonly (readonly [string, string])[]): string =>
  examples.map(([command, does]) => `  ${command}\n      ${does}`).join('\n')
