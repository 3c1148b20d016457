import type { ProgressListener } from '../../progress.js'
import type { Engine } from './engine.js'

/** Who listens to the progress of a query, and who may abort it. */
interface Watch {
  progress?: ProgressListener
  signal?: AbortSignal
}

/** Reports the progress of a long query, and interrupts it when the user aborts. */
export async function withProgress<T>(
  engine: Engine,
  what: string,
  { progress, signal }: Watch,
  query: () => Promise<T>,
): Promise<T> {
  const interrupt = (): void => engine.connection.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  const ticking = setInterval(() => {
    const { percentage } = engine.connection.progress
    if (percentage > 0) progress?.({ what, done: percentage, total: 100, unit: '%' })
  }, 200)
  try {
    return await query()
  } finally {
    clearInterval(ticking)
    signal?.removeEventListener('abort', interrupt)
  }
}
