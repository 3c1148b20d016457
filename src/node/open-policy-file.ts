import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { HindcastError } from '../error.js'
import type { ByteInput } from '../log/bytes/input.js'
import { idsOfLines } from '../read/policy/matrix-policy.js'
import type { PolicyFile } from '../read/policy/policy-file.js'
import { mayNeedIds, type PolicyFileOptions, readPolicyFile } from '../read/policy/read-policy-file.js'
import type { GivenIds } from '../read/policy/tensors-policy.js'
import { fileInput } from './file-input.js'

/**
 * Reads what a file on disk says about a policy, as `readPolicyFile` does. The ids of a matrix `NAME.npy` or of
 * `NAME.safetensors` are looked for beside it, one per line: in `NAME.users.txt` and `NAME.items.txt`, else in `users.txt`
 * and `items.txt`. Of a folder, the one safetensors file in it is read.
 */
export async function openPolicyFile(path: string, options: PolicyFileOptions): Promise<PolicyFile> {
  const file = await fileIn(path)
  const input = await opened(file)
  const ids = options.ids ?? (await idsBeside(file, input))
  return readPolicyFile(input, { ...options, ids })
}

async function fileIn(path: string): Promise<string> {
  const found = await stat(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })
  if (!found.isDirectory()) return path
  const tensors = (await readdir(path)).filter((name) => name.endsWith('.safetensors')).toSorted()
  const [only] = tensors
  if (only !== undefined && tensors.length === 1) return join(path, only)
  throw new HindcastError(
    'not-found',
    only === undefined
      ? `${path} does not contain a model: it has no safetensors file.`
      : `${path} contains ${tensors.length} safetensors files: ${tensors.join(', ')}.`,
    {
      remedy: 'Name a folder that training wrote, or a safetensors file with embeddings of users and items.',
    },
  )
}

const opened = (path: string): Promise<ByteInput> =>
  fileInput(path).catch((cause: unknown) => {
    throw cannotRead(path, cause)
  })

const cannotRead = (path: string, cause: unknown): HindcastError =>
  new HindcastError('not-found', `${path} cannot be read.`, { remedy: 'Check the path.', cause })

async function idsBeside(path: string, input: ByteInput): Promise<GivenIds> {
  if (!mayNeedIds(await input.slice(0, 16), input.byteLength)) return {}
  const stem = basename(path, extname(path))
  const list = async (what: 'users' | 'items'): Promise<string[] | undefined> => {
    for (const name of [`${stem}.${what}.txt`, `${what}.txt`]) {
      const text = await readFile(join(dirname(path), name), 'utf8').catch(() => undefined)
      if (text !== undefined) return idsOfLines(text)
    }
    return undefined
  }
  const [users, items] = [await list('users'), await list('items')]
  return { ...(users && { users }), ...(items && { items }) }
}
