// A source of sums of your own, over rows that are plain objects; yours may live in a database or behind a service.
// Whoever holds the rows answers queries, which are plain data, and gets the same estimates, intervals and verdict.
//   node examples/source-of-sums.mjs
import { clusterKey, evaluateSource, evaluationAnswer, FaultCount, faultOf, Moments } from 'hindcast'
import { sourceOf, summariseWeights, sumsByWays, toyWorld, vectorise } from 'hindcast'
import { sourceConformance } from 'hindcast/conformance'

const column = (rows, of) => Float64Array.from(rows, of)
const sum = (numbers) => numbers.reduce((total, x) => total + x, 0)

/** A source over rows { user, item, cluster, reward, propensity, target, weight, w }, w being π/b. */
function sourceOver(rows, target, usesPropensities) {
  const about = {
    engine: 'objects',
    target,
    modelIgnoresUsers: false,
    holds: { hasTimes: false, hasPositions: false, hasPages: false, isThinned: true },
  }
  const rising = column(rows, ({ w }) => w).toSorted()
  return sourceOf(about, () => ({
    facts: () => factsOf(rows, rising, usesPropensities),
    sums: (query) => sumsByWays(query, (own) => sumsOf(rows, own)),
    largest: () => ({ lacking: 'it puts no terms in order' }),
    weights: () => summariseWeights(rising),
    pages: () => ({ lacking: 'it knows no pages' }),
    batch: () => ({ lacking: 'it does not look at rows for checks' }),
  }))
}

function sumsOf(rows, { terms, by, rows: kind = 'plain' }) {
  if (kind !== 'plain') return { lacking: 'it keeps no predictions of the reward' }
  const groups = new Map()
  rows.forEach((row, place) => {
    const id = by
      .split('×')
      .map((one) => (one === 'row' ? String(place) : row[one === 'user' ? 'user' : 'cluster']))
      .join('×')
    const values = vectorise(
      terms.map(({ expression }) => expression),
      { r: Float64Array.of(row.reward), w: Float64Array.of(row.w), b: Float64Array.of(row.propensity) },
    )(0, 1)
    const sums = groups.get(id) ?? terms.map(() => 0)
    groups.set(
      id,
      sums.map((total, t) => total + row.weight * values[t][0]),
    )
  })
  const byTerm = terms.map(({ name }, t) => [name, column([...groups.values()], (sums) => sums[t])])
  return new Moments(Uint32Array.from([...groups.keys()], clusterKey), new Map(byTerm))
}

function factsOf(rows, rising, usesPropensities) {
  const faults = new FaultCount()
  rows.forEach((row, place) => {
    for (const name of ['reward', 'propensity', 'target', 'weight'])
      if (faultOf(name, row[name])) faults.add(place, name, faultOf(name, row[name]))
    if (row.w > 1e50 && row.propensity > 0) faults.add(place, 'w', 'overflow')
  })
  const counted = column(rows, ({ w, weight }) => w * weight).toSorted()
  const [total, top] = [sum(counted), counted.subarray(-Math.ceil(rows.length / 100))]
  const rewards = rows.map(({ reward }) => reward)
  const floor = Math.min(...rows.map(({ propensity }) => propensity))
  return {
    rows: rows.length,
    broken: faults.broken,
    propensitySource: 'logged',
    usesPropensities,
    users: new Set(rows.map(({ user }) => user)).size,
    items: new Set(rows.map(({ item }) => item)).size,
    rewards: {
      least: Math.min(...rewards),
      most: Math.max(...rewards),
      isBinary: rewards.every((reward) => reward === 0 || reward === 1),
    },
    days: null,
    maxWeight: rising.at(-1),
    largestWeights: rising,
    topShare: top.at(-1) / total,
    topPercentShare: sum(top) / total,
    floorShare: rows.filter(({ propensity }) => propensity === floor).length / rows.length,
    unsupportedMass: usesPropensities ? null : 0,
  }
}

/** The rows of a log as objects, as a target sees them. */
function objectsOf(log, { kind, name }) {
  const rows = Array.from({ length: log.rows }, (_, k) => {
    const [propensity, target] = [log.propensity[k], log.target?.[k] ?? 1 / log.itemIds.length]
    const pi = kind === 'uniform' ? 1 / log.itemIds.length : target
    return {
      user: log.userIds[log.user[k]],
      item: log.itemIds[log.item[k]],
      cluster: log.clusterIds?.[log.cluster[k]],
      propensity,
      target,
      reward: log.reward[k],
      weight: log.weight?.[k] ?? 1,
      w: kind === 'logging' ? 1 : pi / propensity,
    }
  })
  return sourceOver(rows, kind === 'column' ? `column:${name}` : kind, kind !== 'logging')
}

const isLeftOut = ({ ask, rows = 'plain' }) => ['largest', 'pages', 'batch'].includes(ask) || rows !== 'plain'
for (const { run } of sourceConformance(async (log, target) => objectsOf(log, target), isLeftOut)) await run()
console.log('The source passes the conformance suite.')
const log = toyWorld({ seed: 1, skew: 2 }).draw()
const { evaluation } = await evaluateSource(objectsOf(log, { kind: 'uniform' }), {
  estimators: ['ips', 'snips'],
})
console.log(evaluationAnswer(evaluation))
