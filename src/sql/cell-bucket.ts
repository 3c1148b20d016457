import type { Dialect } from './dialect.js'
import { idBucket, idBucketSql } from './id-bucket.js'

const BUCKETS = 65_536

/** By how many buckets the cells of a cluster move from one day to the next: odd, and 65,536 divided by the golden ratio, so that days lie far apart. */
export const DAY_STEP = 40_503

/**
 * The bucket of a cell of clusters and days, from the bucket of its cluster: moved by the number of its day. A cluster is
 * dealt once, not again for each of its days.
 *
 * It serves V = V_cluster + V_day − V_cell. Cells that share a bucket are of one of three kinds. Of one day: then their
 * clusters share a bucket too, and what the day does to both is in V_cell as in V_cluster, and cancels. Of one cluster and
 * different days: never, within 65,536 days, since the step is odd. Of different clusters and days: they are unrelated.
 */
export const cellBucket = (bucket: number, day: number): number => {
  const moved = (bucket + (day % BUCKETS) * DAY_STEP) % BUCKETS
  return moved < 0 ? moved + BUCKETS : moved
}

/** The bucket of a cell by the ids of its cluster and its day. */
export const cellBucketOfIds = (cluster: string, day: string): number =>
  cellBucket(idBucket(cluster), Number(day))

/** The same in an engine, whose `mod` keeps the sign of what is divided: from the bucket and the day of a row, both whole numbers. */
export const cellBucketSql = (bucket: string, day: string): string =>
  `mod(${bucket} + mod(${day}, ${BUCKETS}) * ${DAY_STEP} + ${BUCKETS * DAY_STEP}, ${BUCKETS})`

/** The same from the id of the cluster, which may be a whole number there. */
export const cellBucketOfIdSql = (dialect: Dialect, cluster: string, isWhole: boolean, day: string): string =>
  cellBucketSql(idBucketSql(dialect, cluster, isWhole), day)
