import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { HindcastError } from '../error.js'
import { type FileIdentity, identityOf, identityOfOpen, ontoInput } from '../node/protected-inputs.js'
import { matchingFiles } from '../node/find-file.js'
import type { Arguments, Command, Context, Option } from './command.js'
import { text } from './parse.js'

/** The file that an option writes, unless it is standard output. */
export const writesFile: NonNullable<Option['writes']> = (typed) => (typed === '-' ? [] : [typed])

/** A file or folder that the command would write, and the option that names it. */
interface Output {
  readonly option: string
  readonly path: string
}

/** A file or folder that was typed, and so may be read. */
interface Input {
  readonly name: string
  readonly identity: FileIdentity
  readonly place: string
}

/**
 * Refuses a command that would write over what it reads, whatever the names: compared by device and inode, through
 * links, before anything is read or written. Every word that leads to a file counts as read, unless its option
 * writes it.
 */
export async function refuseOntoInputs(command: Command, args: Arguments): Promise<void> {
  const outputs = outputsOf(command, args)
  const inputs = await inputsOf(command, args)
  for (const output of outputs) await refuseOnto(output, inputs)
  await refuseSame(outputs)
  const standard = identityOfOpen(1)
  const appended = inputs.find(({ identity }) => identity === standard)
  if (appended) throw ontoInput('Standard output', appended.name, appended.name)
}

function outputsOf(command: Command, { values }: Arguments): Output[] {
  return Object.entries(command.options).flatMap(([name, { writes }]) => {
    const typed = values[name]
    const paths = writes && typeof typed === 'string' ? writes(typed) : []
    return paths.map((path) => ({ option: `--${name}`, path }))
  })
}

async function inputsOf(command: Command, { positionals, values }: Arguments): Promise<Input[]> {
  const typed = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && !command.options[name]?.writes ? [value] : [],
  )
  const inputs: Input[] = []
  const matched = values['glob'] === true ? (await Promise.all(positionals.map(matchingFiles))).flat() : []
  for (const name of new Set([...[...positionals, ...typed].flatMap(pathsIn), ...matched])) {
    const identity = await identityOf(name)
    if (identity !== undefined) inputs.push({ name, identity, place: await realpath(name) })
  }
  const standard = identityOfOpen(0)
  if (standard !== undefined) inputs.push({ name: 'standard input', identity: standard, place: '' })
  return inputs
}

/** What may be a path in a word: all of it, its parts between commas, what follows a colon, without `@T`. */
const pathsIn = (word: string): string[] =>
  [word, ...word.split(',')].flatMap((part) => {
    const path = part.slice(part.indexOf(':') + 1)
    return [part, path, path.replace(/@[^@/\\]*$/, '')].filter(Boolean)
  })

async function refuseOnto({ option, path }: Output, inputs: readonly Input[]): Promise<void> {
  const [identity, found] = [await identityOf(path), await stat(path).catch(() => undefined)]
  if (identity === undefined || !found) return
  const isOwn = found.isFile() || found.isDirectory()
  const same = isOwn && inputs.find((input) => input.identity === identity)
  if (same) throw ontoInput(option, path, same.name)
  if (!found.isDirectory()) return
  // What is in a folder goes with it.
  const folder = (await realpath(path)) + sep
  const inside = inputs.find(({ place }) => place.startsWith(folder))
  if (inside) throw ontoInput(option, inside.name, inside.name)
}

/** Of two outputs in one file, the second would replace the first. */
async function refuseSame(outputs: readonly Output[]): Promise<void> {
  const seen = new Map<string, Output>()
  for (const output of outputs) {
    const path = resolve(output.path)
    const found = await stat(path).catch(() => undefined)
    // A pipe or a device may take several outputs.
    if (found && !found.isFile() && !found.isDirectory()) continue
    const key =
      (await identityOf(path)) ?? join((await identityOf(dirname(path))) ?? dirname(path), basename(path))
    const first = seen.get(key)
    if (first)
      throw new HindcastError(
        'bad-option',
        `${first.option} and ${output.option} name the same file: ${output.path}.`,
        { remedy: 'Give each a file of its own.' },
      )
    seen.set(key, output)
  }
}

/** The option of commands whose answer can be written as JSON. */
export const jsonOption = (what: string): { readonly json: Option } => ({
  json: {
    value: 'FILE|-',
    writes: writesFile,
    help: `write ${what} as JSON, to a file or to standard output`,
  },
})

/** The option of commands that write a page. */
export const reportOption = (help: string): { readonly report: Option } => ({
  report: { value: 'FILE.html', writes: writesFile, help },
})

/** Writes an answer as JSON where that is asked for, and prints its words unless standard output takes the JSON. */
export async function tell(
  answer: unknown,
  words: () => string | Promise<string>,
  args: Arguments,
  context: Context,
): Promise<void> {
  const json = text(args, 'json')
  if (json !== undefined) await writeJson(json, answer, context)
  if (json !== '-') context.terminal.print(await words())
}

/** Writes the page that is asked for, and notes where. */
export async function writeReport(
  args: Arguments,
  { terminal }: Context,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const path = text(args, 'report')
  if (path === undefined) return
  await write(path)
  terminal.note(`Wrote ${path}.`)
}

/** Writes JSON to standard output (`-`), or to a file whose name it notes on standard error. */
export async function writeJson(
  target: string,
  value: unknown,
  { terminal, signal }: Context,
): Promise<void> {
  const written = JSON.stringify(value, null, 2)
  if (target === '-') {
    terminal.print(written)
    return
  }
  const { writeAtomically } = await import('../node/write-atomically.js')
  await writeAtomically(target, [`${written}\n`], signal)
  terminal.note(`Wrote ${target}.`)
}

/** Where `doctor --fix` keeps the rows that it leaves out: beside the mended log, which it is named after. */
export const leftOutFile = (out: string): string =>
  out.replace(/(\.(csv|ndjson|jsonl|parquet))?(\.gz)?$/, '.left-out.csv')
