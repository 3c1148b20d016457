import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Parts of a path that are patterns: * for any characters, ? for one, [abc], [a-z] and [!a] for one of a set. */
const isPattern = (name: string): boolean => /[*?[]/.test(name)

/**
 * The files that a pattern matches, in the order of their names (by UTF-16 code units, the same everywhere). Each
 * part between slashes is matched by itself; names that start with a dot are matched only by a part that does.
 */
export async function matchingFiles(pattern: string): Promise<string[]> {
  const parts = pattern.split(sep === '/' ? sep : /[/\\]/)
  let found = ['']
  for (const [k, part] of parts.entries()) {
    const isFirst = k === 0
    const names = await Promise.all(found.map((folder) => namesIn(folder, part, isFirst)))
    found = names.flat()
  }
  const files = await Promise.all(found.map(async (path) => ((await isFile(path)) ? [path] : [])))
  return files.flat().toSorted((a, b) => (a < b ? -1 : 1))
}

/** The paths in a folder that one part of a pattern leads to; '' stands for the current folder. */
async function namesIn(folder: string, part: string, isFirst: boolean): Promise<string[]> {
  // `/logs` starts with an empty part.
  if (isFirst && part === '') return ['/']
  if (part === '' || part === '.') return [folder]
  if (!isPattern(part)) return [join(folder, part)]
  const names = await readdir(folder === '' ? '.' : folder).catch(() => [])
  const expression = expressionOf(part)
  return names
    .filter((name) => expression.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map((name) => join(folder, name))
}

/** The regular expression of one part of a pattern. A [ that nothing closes stands for itself. */
function expressionOf(part: string): RegExp {
  const source = part.replaceAll(
    /\*+|\?|\[(!?)(\]?[^\]]*)\]|[\\^$.+(){}|[\]]/g,
    (found, not: string | undefined, set: string | undefined) => {
      if (found.startsWith('*')) return '[^/]*'
      if (found === '?') return '[^/]'
      if (set === undefined) return `\\${found}`
      return `[${not === '!' ? '^' : ''}${set.replaceAll(/[\\\]^[]/g, '\\$&')}]`
    },
  )
  return new RegExp(`^${source}$`, 'su')
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() ?? false
