import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Login, passwordIn } from './password-file.js'

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
