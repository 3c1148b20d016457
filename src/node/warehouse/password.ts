import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A password, and where it was found, for messages. */
export interface FoundPassword {
  readonly password: string
  readonly from: string
}

/** The password of a login that was left for it: in PGPASSWORD, else in the file of passwords. */
export async function storedPassword(
  login: Login,
  onNote: ((note: string) => void) | undefined,
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): Promise<FoundPassword | undefined> {
  const { PGPASSWORD, PGPASSFILE } = environment
  if (PGPASSWORD) return { password: PGPASSWORD, from: 'PGPASSWORD' }
  const file = PGPASSFILE || usualFile(environment)
  const facts = await stat(file).catch(() => undefined)
  if (!facts) return undefined
  const ignored = facts.isFile()
    ? process.platform !== 'win32' && (facts.mode & 0o077) !== 0
      ? `others on this machine can read it. Run chmod 600 ${file}`
      : undefined
    : 'it is not a file'
  if (ignored !== undefined) {
    onNote?.(`The passwords in ${file} were not used: ${ignored}.`)
    return undefined
  }
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) {
    onNote?.(`The passwords in ${file} were not used: it cannot be read.`)
    return undefined
  }
  const password = passwordIn(text, login)
  return password === undefined ? undefined : { password, from: file }
}

const usualFile = ({ APPDATA, HOME }: Readonly<NodeJS.ProcessEnv>): string =>
  process.platform === 'win32'
    ? join(APPDATA ?? homedir(), 'postgresql', 'pgpass.conf')
    : join(HOME ?? homedir(), '.pgpass')

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
