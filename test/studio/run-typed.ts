import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { program } from '../hindcast.js'

/**
 * Types lines into a shell in a folder, as somebody would who copied them from the page; what they print. A command
 * that ends badly is an error, but for one whose answer is bad: exit code 1.
 */
export async function runTyped(lines: string, folder: string): Promise<string> {
  const shell = `hindcast() { "$NODE" "$PROGRAM" "$@" || [ $? -eq 1 ]; }\nset -e\n${lines}\n`
  const { stdout } = await promisify(execFile)('sh', ['-c', shell], {
    cwd: folder,
    env: { ...process.env, NODE: process.execPath, PROGRAM: program },
    maxBuffer: 1 << 28,
  })
  return stdout
}
