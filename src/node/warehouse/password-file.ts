/** Whose password is looked for. */
export interface Login {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/**
 * The password of a login in the text of a `.pgpass` file, by the rules of libpq: lines of
 * `host:port:database:user:password`, the first that matches; a field `*` matches anything, a backslash makes the character
 * behind it plain, and lines that begin with # are comments.
 */
export function passwordIn(text: string, { host, port, database, user }: Login): string | undefined {
  const wanted = [host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const fields = fieldsOf(line)
    const password = fields[wanted.length]
    if (password === undefined || password.value === '') continue
    const matches = wanted.every((value, k) => fields[k]!.raw === '*' || fields[k]!.value === value)
    if (matches) return password.value
  }
  return undefined
}

interface Field {
  readonly raw: string
  /** Without the backslashes. */
  readonly value: string
}

/** The four fields in front, and the rest of the line, in which colons are plain. */
function fieldsOf(line: string): Field[] {
  const fields: Field[] = []
  let [raw, value] = ['', '']
  for (let k = 0; k < line.length; k++) {
    const one = line[k]!
    if (one === ':' && fields.length < 4) {
      fields.push({ raw, value })
      ;[raw, value] = ['', '']
      continue
    }
    const isEscaped = one === '\\' && k + 1 < line.length
    raw += one
    if (isEscaped) raw += line[++k]!
    value += isEscaped ? line[k]! : one
  }
  return [...fields, { raw, value }]
}
