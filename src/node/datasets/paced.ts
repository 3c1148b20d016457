import type { ProgressListener } from '../../progress.js'

/**
 * A function to call after every piece of work, in bytes; it calls the listener for the first piece, then at most
 * ten times per second, and at the end.
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
