// One file read in three ways: from its bytes, through DuckDB, and as sums that DuckDB computes. Each gives the
// same rows, ids and sums, or the same refusal.
import { writeFileSync } from 'node:fs'
import { BadRowsError } from '../../dist/log/bad-rows.js'
import { bytesInput } from '../../dist/log/bytes/input.js'
import { HindcastError } from '../../dist/error.js'
import { requireSound } from '../../dist/estimate/source/broken-rows.js'
import { memorySums } from '../../dist/estimate/source/memory-sums.js'
import { itemMean } from '../../dist/estimate/reward/reward-model.js'
import { one, reward, weight, weightedReward } from '../../dist/estimate/term.js'
import { readLogFile } from '../../dist/node/read-log.js'
import { DuckDbSums } from '../../dist/node/sums/duckdb-sums.js'
import { readLog } from '../../dist/read/read-log.js'

const TERMS = [one, reward, weight, weightedReward]

/** How the ways disagree about a file, in a sentence; undefined where they agree, with what they agree on. */
export async function compareWays(path, bytes, options) {
  writeFileSync(path, bytes)
  const fromBytes = await outcome(() => readLog(bytesInput(path, bytes), options))
  const fromFile = await outcome(() => readLogFile(path, options))
  const isParquet = bytes.subarray(0, 4).toString('latin1') === 'PAR1'
  const told = isParquet && isEither(fromBytes, fromFile) ? undefined : differenceOf(fromBytes, fromFile)
  if (told) return { disagreement: `bytes and DuckDB: ${told}` }
  // Rows that are left out are left out of a log in memory alone.
  const isSummed = options.onBadRow !== 'skip'
  if (isSummed) {
    const target = { kind: fromBytes.read?.log.target ? 'column' : 'uniform', name: 'target_prob' }
    const expected = fromBytes.read
      ? await summed(() => inMemory(fromBytes.read.log, target))
      : { refused: fromBytes.refused }
    const found = await summed(() => DuckDbSums.open(path, { ...options, target }))
    const apart =
      isParquet && isUnread(expected, found, options) ? undefined : differenceOfSums(expected, found)
    if (apart) return { disagreement: `memory and DuckDB's sums: ${apart}` }
  }
  return { agreed: fromBytes.refused ?? 'read' }
}

/** What reading gave: a log and its parts as texts, or a refusal. */
async function outcome(read) {
  try {
    const result = await read()
    return { read: result, parts: partsOf(result) }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error) {
  if (!(error instanceof HindcastError)) return { refused: `crash: ${error?.stack ?? error}`, parts: {} }
  if (!(error instanceof BadRowsError)) return { refused: error.code, parts: {}, message: error.message }
  const cells = error.cells.map(({ line, column, value, reason }) =>
    JSON.stringify([line, column, value, reason]),
  )
  return {
    refused: error.code,
    parts: { rows: String(error.rows), cells: cells.join('\n') },
    message: error.message,
  }
}

function partsOf({ log, skipped }) {
  const parts = Object.entries(log).map(([name, value]) => [name, shown(value)])
  return { ...Object.fromEntries(parts), skipped: String(skipped) }
}

function shown(value) {
  return JSON.stringify(value, (_key, inner) =>
    ArrayBuffer.isView(inner) ? Array.from(inner, String).join(' ') : inner,
  )
}

function differenceOf(a, b) {
  if (a.refused !== b.refused)
    return `${a.refused ?? 'read'} (${a.message ?? ''}), ${b.refused ?? 'read'} (${b.message ?? ''})`
  for (const name of new Set([...Object.keys(a.parts), ...Object.keys(b.parts)]))
    if (a.parts[name] !== b.parts[name]) return `${name}: ${cut(a.parts[name])} and ${cut(b.parts[name])}`
  return a.refused?.startsWith('crash') ? a.refused : undefined
}

const cut = (text = 'nothing') => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

const inMemory = (log, target) => memorySums(log, { target, seed: 0, rewardModel: itemMean })

/** Facts and sums per user of a source, or a refusal. */
async function summed(open) {
  let source
  try {
    source = await open()
    const [facts] = await source.ask([{ ask: 'facts' }])
    requireSound(facts.broken)
    const [moments] = await source.ask([{ ask: 'sums', terms: TERMS, by: 'user' }])
    const byUser = moments.ids
      .map((id, k) => [id, TERMS.map((term) => moments.sums(term)[k])])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    const { rows, users, items, propensitySource, rewards, maxWeight } = facts
    return { facts: { rows, users, items, propensitySource, ...rewards, maxWeight }, byUser }
  } catch (error) {
    return refusalOf(error)
  } finally {
    source?.dispose?.()
  }
}

function differenceOfSums(a, b) {
  if (a.refused !== b.refused)
    return `${a.refused ?? 'summed'} (${a.message ?? ''}), ${b.refused ?? 'summed'} (${b.message ?? ''})`
  if (a.refused) return undefined
  for (const [name, value] of Object.entries(a.facts))
    if (!isNear(value, b.facts[name])) return `${name}: ${value} and ${b.facts[name]}`
  if (a.byUser.length !== b.byUser.length) return `${a.byUser.length} and ${b.byUser.length} users`
  for (const [k, [id, sums]] of a.byUser.entries()) {
    const [other, others] = b.byUser[k]
    if (id !== other) return `the user ${JSON.stringify(id)} and ${JSON.stringify(other)}`
    const term = sums.findIndex((sum, t) => !isNear(sum, others[t]))
    if (term >= 0) return `${TERMS[term].name} of ${JSON.stringify(id)}: ${sums[term]} and ${others[term]}`
  }
  return undefined
}

/**
 * Sums read the columns they need: damage in a column of Parquet that holds labels, or no ids at all, is not theirs, and
 * a file that is damaged and has bad rows may be refused for either.
 */
const isUnread = (expected, found, { labels }) =>
  (expected.refused === 'bad-file' && labels !== undefined) || isEither(expected, found)

const isEither = (a, b) =>
  [a, b].every(({ refused }) => refused === 'bad-file' || refused === 'bad-rows') && a.refused !== b.refused

/** Sums may be rounded in another order; what is left of numbers that cancel is rounding alone. */
const isNear = (a, b) =>
  a === b || (typeof a === 'number' && Math.abs(a - b) <= 1e-12 + 1e-9 * Math.max(Math.abs(a), Math.abs(b)))
