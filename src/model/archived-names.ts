/** The names of files in an archive without the folder that all of them are in, where there is one: `model/a` and `model/b` give `a` and `b`. */
export function withoutFolder(names: readonly string[]): string[] {
  const [first = ''] = names
  const folder = first.slice(0, first.indexOf('/') + 1)
  return folder !== '' && names.every((name) => name.startsWith(folder))
    ? withoutFolder(names.map((name) => name.slice(folder.length)))
    : [...names]
}
