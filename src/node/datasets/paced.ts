import type { ProgressListener } from '../../progress.js'

/**
 * A function to call with every piece of work, in bytes; it calls the listener at the first piece, then at most
 * ten times a second, and when all is done.
 */
export function paced(
  progress: ProgressListener | undefined,
  what: string,
): (done: number, total?: number) => void {
  if (!progress) return () => {}
  let last = -Infinity
  return (done, total) => {
    const now = performance.now()
    if (now - last < 100 && done !== total) return
    last = now
    progress(total === undefined ? { what, done, unit: 'bytes' } : { what, done, total, unit: 'bytes' })
  }
}
