import type { Log } from './log.js'
import type { Split } from './split.js'

/**
 * The log as one whose users are its contexts, for what knows no more of a row than its context. Rows still depend on
 * each other by user: users become the clusters, unless the log has others.
 */
export function logByContext(log: Log): Log {
  const { contexts } = log
  if (!contexts) return log
  return {
    ...log,
    user: contexts.index,
    userIds: Array.from(contexts.user, (_, context) => String(context)),
    contexts: { ...contexts, user: Uint32Array.from(contexts.user.keys()) },
    cluster: log.cluster ?? log.user,
    clusterIds: log.clusterIds ?? log.userIds,
  }
}

/** The parts of a split, each by context. */
export const splitByContext = ({ train, validation, test }: Split): Split => ({
  train: logByContext(train),
  validation: logByContext(validation),
  test: logByContext(test),
})
