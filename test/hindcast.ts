import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The command line. */
export const program = fileURLToPath(new URL('../bin/hindcast.js', import.meta.url))

/** Folder of the logs that are broken on purpose. */
export const logs = fileURLToPath(new URL('logs', import.meta.url))

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs the command line as a user would, in a process of its own. */
export function hindcast(
  args: readonly string[],
  options: { cwd?: string; input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { cwd: options.cwd, env: { ...process.env, ...options.env }, maxBuffer: 1 << 28 },
      (error, stdout, stderr) => resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    )
    child.stdin!.on('error', () => undefined)
    child.stdin!.end(options.input)
  })
}
