import type { Context } from './command.js'

/** Writes JSON to standard output (`-`), or to a file whose name it notes on standard error. */
export async function writeJson(
  target: string,
  value: unknown,
  { terminal, signal }: Context,
): Promise<void> {
  const text = JSON.stringify(value, null, 2)
  if (target === '-') {
    terminal.print(text)
    return
  }
  const { writeAtomically } = await import('../node/write-atomically.js')
  await writeAtomically(target, [`${text}\n`], signal)
  terminal.note(`Wrote ${target}.`)
}
