import type { ProgressListener } from '../../progress.js'
import type { Engine } from './engine.js'

/** Who wants to hear how far a query has come, and who may end it. */
interface Watch {
  progress?: ProgressListener
  signal?: AbortSignal
}

/** Tells how far one long query of the engine has come, and ends it when the user does. */
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
