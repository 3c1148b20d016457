// A source of sums of your own, over rows that are plain objects; yours may live in a database or behind a service.
// Whoever holds the rows answers four questions, and gets the same estimates, intervals and verdict.
//   node examples/source-of-sums.mjs
import { clusterKey, evaluateSource, evaluationAnswer, FaultCount, faultOf, Moments } from 'hindcast'
import { summariseWeights, toyWorld, vectorise } from 'hindcast'
import { sourceConformance } from 'hindcast/conformance'

const column = (rows, of) => Float64Array.from(rows, of)
const sum = (numbers) => numbers.reduce((total, x) => total + x, 0)

/** Rows { user, item, cluster, reward, propensity, target, weight, w }, w being π/b. */
class ObjectSums {
  engine = 'objects'
  constructor(rows, target, usesPropensities) {
    Object.assign(this, { rows, target, usesPropensities, rising: column(rows, ({ w }) => w).toSorted() })
  }
  async moments(terms, clusterBy, kind = 'plain') {
    if (kind !== 'plain') return { lacking: 'it keeps no predictions of the reward' }
    const groups = new Map()
    this.rows.forEach((row, place) => {
      const id = clusterBy === 'row' ? String(place) : row[clusterBy === 'user' ? 'user' : 'cluster']
      const values = vectorise(
        terms.map(({ expression }) => expression),
        { r: Float64Array.of(row.reward), w: Float64Array.of(row.w) },
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
  async facts() {
    const { rows, rising, usesPropensities } = this
    const faults = new FaultCount()
    rows.forEach((row, place) => {
      for (const name of ['reward', 'propensity', 'target', 'weight'])
        if (faultOf(name, row[name])) faults.add(place, name, faultOf(name, row[name]))
      if (row.w > 1e50 && row.propensity > 0) faults.add(place, 'w', 'overflow')
    })
    const counted = column(rows, ({ w, weight }) => w * weight).toSorted()
    const [total, top] = [sum(counted), counted.subarray(-Math.ceil(rows.length / 100))]
    const floor = Math.min(...rows.map(({ propensity }) => propensity))
    return {
      rows: rows.length,
      broken: faults.broken,
      propensitySource: 'logged',
      usesPropensities,
      users: new Set(rows.map(({ user }) => user)).size,
      items: new Set(rows.map(({ item }) => item)).size,
      maxWeight: rising.at(-1),
      largestWeights: rising,
      topShare: top.at(-1) / total,
      topPercentShare: sum(top) / total,
      floorShare: rows.filter(({ propensity }) => propensity === floor).length / rows.length,
      unsupportedMass: usesPropensities ? null : 0,
    }
  }
  async medianWeight() {
    const positive = this.rising.filter((w) => w > 0)
    return positive[(positive.length - 1) >> 1] ?? null
  }
  async weights() {
    return summariseWeights(this.rising)
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
  return new ObjectSums(rows, kind === 'column' ? `column:${name}` : kind, kind !== 'logging')
}

for (const { run } of sourceConformance(async (log, target) => objectsOf(log, target))) await run()
console.log('The source passes the conformance suite.')
const log = toyWorld({ seed: 1, skew: 2 }).draw()
const { evaluation } = await evaluateSource(objectsOf(log, { kind: 'uniform' }), {
  estimators: ['ips', 'snips'],
})
console.log(evaluationAnswer(evaluation))
