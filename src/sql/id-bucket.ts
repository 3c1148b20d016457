import { md5Bucket } from '../md5.js'
import type { Dialect } from './dialect.js'

/** A prime just below 65,536: whatever step ids come in, their remainders differ. */
const PRIME = 65_521
/** What remainders are multiplied by, so that ids that follow each other, or are all even, lie far apart. */
const FACTOR = 40_503
/** Ids of up to so many digits are whole numbers in every engine. */
const MOST_DIGITS = 18

/**
 * The bucket of an id, 0 … 65,535, the same in every source. Ids of digits alone are dealt by arithmetic, which costs an
 * engine next to nothing for each row; all others by their MD5.
 */
export function idBucket(id: string): number {
  if (id.length > MOST_DIGITS || !/^[0-9]+$/.test(id)) return md5Bucket(id)
  // In two parts: a number has fewer digits than an id may have.
  const [front, back] = [Number(id.slice(0, -9)), Number(id.slice(-9))]
  const remainder = ((front % PRIME) * (1e9 % PRIME) + back) % PRIME
  return (remainder * FACTOR) % PRIME
}

/** The same in an engine, for ids that are whole numbers there, or of any other type. */
export function idBucketSql(dialect: Dialect, id: string, isWhole: boolean): string {
  const text = dialect.text(id)
  const isNumber = isWhole
    ? `${id} >= 0 AND ${id} < 1${'0'.repeat(MOST_DIGITS)}`
    : `length(${text}) BETWEEN 1 AND ${MOST_DIGITS} AND translate(${text}, '0123456789', '') = ''`
  const dealt = `mod(mod(CAST(${isWhole ? id : text} AS BIGINT), ${PRIME}) * ${FACTOR}, ${PRIME})`
  return `CASE WHEN ${isNumber} THEN ${dealt} ELSE ${dialect.bucket(text)} END`
}
