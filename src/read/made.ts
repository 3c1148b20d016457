import { HindcastError } from '../error.js'
import { given } from '../given.js'
import { type Made, PART_SCHEMA, type PartOf } from '../log/stamp.js'

/** What a file beside a policy, or a policy itself, says of the rows it was made from: `{"made": {"from": "…"}}`. */
export function madeIn(json: unknown, name: string): Made {
  const made = field(json, 'made')
  const [from, rows, timed, sample] = ['from', 'rows', 'timed', 'sample'].map((key) => field(made, key))
  const isSound =
    typeof from === 'string' &&
    from !== '' &&
    (rows === undefined || Number.isSafeInteger(rows)) &&
    (timed === undefined || typeof timed === 'boolean') &&
    (sample === undefined || (typeof sample === 'string' && /^([0-9a-f]{12})*$/.test(sample)))
  if (!isSound)
    throw new HindcastError('bad-file', `${name} does not say which log the policy was made from.`, {
      remedy:
        'It needs a field "made" with the hash of that log as "from". The file beside a part of a split log has it: copy that.',
    })
  return { from, ...given({ rows: rows as number | undefined, timed, sample }) }
}

/** What a file beside a log says of the parts that it is one of; undefined where it is about something else. */
export function partIn(json: unknown, name: string): (PartOf & { readonly seed: number }) | undefined {
  if (field(json, 'schema') !== PART_SCHEMA) return undefined
  const others = field(json, 'others')
  const seed = field(json, 'seed')
  if (
    !Array.isArray(others) ||
    !others.every((other) => typeof field(other, 'from') === 'string') ||
    !Number.isSafeInteger(seed)
  )
    throw new HindcastError('bad-file', `${name} is not as it was written: the other parts are missing.`, {
      remedy: 'Copy it again from where the log was split, or delete it.',
    })
  return { from: madeIn(json, name).from, others: others as PartOf['others'], seed: seed as number }
}

/** JSON beside another file; an error where it is cut off. */
export function parsedBeside(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HindcastError('bad-file', `${name} cannot be read as JSON.`, {
      remedy: 'Copy it again, or delete it.',
      cause,
    })
  }
}

const field = (json: unknown, key: string): unknown =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[key] : undefined
