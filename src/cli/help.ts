import type { Command, ListedCommand } from './command.js'
import { columns, wrap } from './format.js'
import type { Terminal } from './terminal.js'

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
export function programHelp(commands: readonly ListedCommand[], terminal: Terminal): string {
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
