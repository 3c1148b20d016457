import { columnsForLoggers, type LoggersChoice } from '../../estimate/loggers/loggers-choice.js'
import type { ReadOptions } from '../../read/plan.js'

/** How to read a log with the columns of its loggers; where all their probabilities were logged, it needs no other propensities. */
export function withLoggers({
  loggers,
  ...options
}: ReadOptions & { readonly loggers?: LoggersChoice }): ReadOptions {
  if (!loggers) return options
  const { labels, numbers } = columnsForLoggers(loggers)
  return {
    ...options,
    labels: [...new Set([...(options.labels ?? []), ...labels])],
    numbers,
    ...(loggers.probabilities && { propensityOptional: true }),
  }
}
