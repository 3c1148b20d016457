/** What a command writes to the terminal, as one text. */
export type Run = (command: string) => Promise<string>

/** A page with each command of its console blocks run anew, and what it writes put in place of what stood there. */
export async function withOutputs(page: string, run: Run): Promise<string> {
  const parts: string[] = []
  let end = 0
  for (const block of page.matchAll(CONSOLE)) {
    parts.push(page.slice(end, block.index), '```console\n', await blockWithOutputs(block[1]!, run), '\n```')
    end = block.index + block[0].length
  }
  return [...parts, page.slice(end)].join('')
}

/** True for a page with commands that `withOutputs` would run. */
export const hasConsole = (page: string): boolean => page.search(CONSOLE) >= 0

const CONSOLE = /^```console\n([^]*?)\n```$/gm

async function blockWithOutputs(block: string, run: Run): Promise<string> {
  const entries: string[] = []
  for (const entry of block.split(/^\$ /m).slice(1)) {
    const [line = '', ...shown] = entry.split('\n')
    const written = (await run(line)).trimEnd()
    const output = abridged(written, shown.join('\n').trim())
    entries.push(output === '' ? `$ ${line}` : `$ ${line}\n${output}\n`)
  }
  return entries.join('\n').trimEnd()
}

/**
 * What was written, cut where the page cuts it: a paragraph `…` stands for whole paragraphs left out, and as many
 * are kept before and after it as the page shows.
 */
function abridged(written: string, shown: string): string {
  const kept = shown.split(/\n\n+/)
  const before = kept.indexOf('…')
  if (before < 0) return written
  const after = kept.length - before - 1
  const paragraphs = written.split(/\n\n+/)
  if (paragraphs.length <= before + after) return written
  return [...paragraphs.slice(0, before), '…', ...paragraphs.slice(paragraphs.length - after)].join('\n\n')
}
