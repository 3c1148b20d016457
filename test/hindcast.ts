import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { studyCommand } from '../study/src/node/command.js'
import { COMMANDS, main } from '../src/cli/index.js'

/** The command line. */
export const program = fileURLToPath(new URL('../bin/hindcast.js', import.meta.url))

/** Folder of the logs that are broken on purpose. */
export const logs = fileURLToPath(new URL('logs', import.meta.url))

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Both outputs in the order in which they were written, as a terminal shows them. */
export interface Shown extends Ended {
  shown: string
}

/**
 * Runs the command line from its sources inside this process, in a folder: what a process of its own would print and
 * end with, without the time that it takes to start. Input and environment need `hindcastProcess`.
 */
export function hindcast(args: readonly string[], { cwd }: { cwd?: string } = {}): Promise<Shown> {
  // The folder and the outputs belong to the whole process: one command at a time.
  const ended = last.then(() => runHere(args, cwd ?? process.cwd()))
  last = ended.catch(() => undefined)
  return ended
}
let last: Promise<unknown> = Promise.resolve()

async function runHere(args: readonly string[], cwd: string): Promise<Shown> {
  // A worker thread, in which mutants are tried, cannot change the folder.
  if (!isMainThread) {
    const ended = await hindcastProcess(args, { cwd })
    return { ...ended, shown: ended.stdout + ended.stderr }
  }
  const ended: Shown = { code: 0, stdout: '', stderr: '', shown: '' }
  const { exitCode } = process
  const home = process.cwd()
  const undo = [listenTo('stdout', ended), listenTo('stderr', ended), forgetsListeners()]
  try {
    process.chdir(cwd)
    await main(args, COMMANDS.toSpliced(-1, 0, studyCommand))
    ended.code = Number(process.exitCode ?? 0)
  } finally {
    process.chdir(home)
    process.exitCode = exitCode
    for (const back of undo) back()
  }
  return ended
}

/** Writes to an output of this process go to a text, until what is returned is called. */
function listenTo(output: 'stdout' | 'stderr', ended: Shown): () => void {
  const stream = process[output]
  const { write } = stream
  stream.write = (chunk: string | Uint8Array): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    ended[output] += text
    ended.shown += text
    return true
  }
  return () => void (stream.write = write)
}

/** A command line expects to be the last thing that its process does; what it listens to is let go. */
function forgetsListeners(): () => void {
  const places = [
    [process, 'SIGINT'],
    [process, 'SIGTERM'],
    [process.stdout, 'error'],
    [process.stderr, 'error'],
  ] as const
  const before = places.map(([emitter, event]) => new Set(emitter.rawListeners(event)))
  return () =>
    places.forEach(([emitter, event], k) => {
      for (const listener of emitter.rawListeners(event))
        if (!before[k]!.has(listener)) emitter.off(event, listener as () => void)
    })
}

/** Runs the command line as it is built, as a user would, in a process of its own. */
export function hindcastProcess(
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
