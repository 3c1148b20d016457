import { firstNotBelow } from '../bisect.js'
import { type Graph, neighboursOf } from '../graph/graph.js'
import { featuresOf } from '../log/contexts.js'
import type { Log } from '../log/log.js'
import { hashFurther, hashText } from '../random/stream.js'

/**
 * Hashes of clicks, each by its user, its features and its item, in ascending order: by them a policy that keeps none of
 * its training rows still knows whether a log is the one it was trained on. `clicks` links the log's contexts to items.
 */
export function seenClicks(log: Log, clicks: Graph): Uint32Array {
  const hash = clickHash(log, [...log.contexts!.names.keys()])
  const hashes = new Uint32Array(clicks.edges)
  let count = 0
  for (let context = 0; context < clicks.users; context++)
    for (const item of neighboursOf(clicks.byUser, context)) hashes[count++] = hash(context, item)
  return hashes.sort()
}

/** Share of the clicks of a log with contexts that are among these; `columns` are the places of the policy’s features. */
export function seenClickShare(log: Log, seen: Uint32Array, columns: readonly number[]): number {
  const hash = clickHash(log, columns)
  let [clicks, known] = [0, 0]
  for (let row = 0; row < log.rows; row++) {
    if (!(log.reward[row]! > 0)) continue
    clicks++
    const own = hash(log.contexts!.index[row]!, log.item[row]!)
    if (seen[firstNotBelow(seen, own)] === own) known++
  }
  return clicks === 0 ? 0 : known / clicks
}

function clickHash(
  { contexts, userIds, itemIds }: Log,
  columns: readonly number[],
): (context: number, item: number) => number {
  const items = Uint32Array.from(itemIds, (id) => hashText(id))
  const { user } = contexts!
  return (context, item) => {
    const features = featuresOf(contexts!, context)
    const words = new Uint32Array(Float32Array.from(columns, (column) => features[column]!).buffer)
    let hash = hashText(userIds[user[context]!]!)
    for (const word of [...words, items[item]!])
      for (let shift = 0; shift < 32; shift += 8) hash = hashFurther(hash, (word >>> shift) & 255)
    return hash
  }
}
