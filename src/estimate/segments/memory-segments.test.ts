import { describe, expect, it } from 'vitest'
import { type Log, takeRows } from '../../log/log.js'
import { pow } from '../../portable-math.js'
import { randomStream } from '../../random/stream.js'
import type { Reason } from '../../verdict/verdict.js'
import { compare } from '../compare.js'
import { evaluate } from '../evaluate.js'
import type { Verdict } from '../evaluation.js'
import { drawPage, logOf } from '../slate/example-pages.js'
import { verdictFrom } from '../verdict.js'
import { confidenceOfEach, dependsOnItem } from './choose-segments.js'
import { DEVICES, exampleSegments, uniformValue } from './example-segments.js'
import { withWhole } from './judge-segments.js'
import { evaluateBy } from './memory-segments.js'

const log = exampleSegments()
const target = { kind: 'uniform' } as const

const rowsOf = ({ labels }: Log, name: string, label: string): Uint32Array => {
  const { index, ids } = labels![name]!
  return Uint32Array.from(index.keys()).filter((row) => ids[index[row]!] === label)
}

describe('evaluateBy', () => {
  it('gives each segment what an evaluation and a comparison of its rows alone give', async () => {
    const { segments, eachConfidence, looks, per } = await evaluateBy(log, { by: 'device', target })
    expect([per, looks, eachConfidence]).toEqual(['segment', 3, pow(0.95, 1 / 3)])
    expect(segments.map(({ segment }) => segment)).toEqual(['phone', 'desk', 'tablet'])
    for (const found of segments) {
      const rows = takeRows(log, rowsOf(log, 'device', found.segment))
      // Checks look at the whole log.
      const asked = { estimators: ['snips'], confidence: eachConfidence, checks: false }
      const { evaluation } = await evaluate(rows, { ...asked, target })
      const [estimate] = evaluation.estimates
      expect(found).toMatchObject({
        rows: rows.rows,
        value: estimate!.value,
        interval: estimate!.interval,
        ess: evaluation.diagnostics.ess,
        meanReward: evaluation.log.meanReward,
        verdict: evaluation.verdict,
      })
      const comparison = await compare(rows, {
        targets: [{ target: { kind: 'logging' } }, { target }],
        confidence: eachConfidence,
      })
      const [difference] = comparison.differences
      expect(found.difference).toBeCloseTo(difference!.difference!, 12)
      found.differenceInterval!.forEach((end, k) => expect(end).toBeCloseTo(difference!.interval![k]!, 12))
    }
  })

  it('covers the truth in each segment, where the whole tells nothing of it', async () => {
    const { segments } = await evaluateBy(log, { by: 'device', target })
    for (const { segment, interval, verdict } of segments) {
      const truth = uniformValue(DEVICES.indexOf(segment))
      expect(verdict.level).toBe('trust')
      expect(interval![0]).toBeLessThan(truth)
      expect(interval![1]).toBeGreaterThan(truth)
    }
  })

  it('finds that the logging policy earns what it earned, in every segment', async () => {
    const { segments } = await evaluateBy(log, { by: 'device', target: { kind: 'logging' } })
    for (const { segment, value, meanReward, difference, differenceInterval } of segments) {
      const { reward, rows } = takeRows(log, rowsOf(log, 'device', segment))
      expect(meanReward).toBeCloseTo(reward.reduce((sum, r) => sum + r, 0) / rows, 12)
      expect(value).toBeCloseTo(meanReward!, 12)
      expect([difference, ...differenceInterval!].map((end) => Math.round(end! * 1e12))).toEqual([0, 0, 0])
    }
  })

  it('keeps the number of items of the whole log', async () => {
    // The segment never shows the last item, which a uniform policy would show one time in six.
    const rows = Uint32Array.from(log.item.keys()).filter(
      (row) => log.item[row] !== 5 || log.labels!['device']!.index[row] !== 0,
    )
    const { segments } = await evaluateBy(takeRows(log, rows), { by: 'device', target, estimator: 'ips' })
    const desk = segments.find(({ segment }) => segment === 'desk')!
    expect(desk.verdict.level).not.toBe('trust')
    expect(desk.verdict.reasons.map(({ code }) => code)).toContain('mean-weight')
  })

  it('lists segments that are too small, spends no look on them, and gathers the smallest', async () => {
    const all = await evaluateBy(log, { by: 'rare', target })
    expect(all.segments.map(({ segment, rows }) => [segment, rows])).toEqual([
      ['b', 3980],
      ['', 1990],
      ['a', 30],
    ])
    expect(all.looks).toBe(2)
    expect(all.segments[2]).toMatchObject({
      value: null,
      interval: null,
      reason: 'only 30 rows; 100 are needed',
      verdict: { level: 'refuse', reasons: [{ code: 'too-small' }] },
    })
    const few = await evaluateBy(log, { by: 'rare', target, most: 1 })
    expect(few.segments.map(({ segment, rows, gathers }) => [segment, rows, gathers])).toEqual([
      ['b', 3980, undefined],
      ['', 2020, 2],
    ])
    expect(few.looks).toBe(2)
    const rest = Uint32Array.from(log.labels!['rare']!.index.keys()).filter(
      (row) => log.labels!['rare']!.index[row] !== 2,
    )
    const { evaluation } = await evaluate(takeRows(log, rest), { target, estimators: ['snips'] })
    expect(few.segments[1]!.value).toBe(evaluation.estimates[0]!.value)
  })

  it.each([
    ['position', ['0', '1', '2'], 1],
    ['week', ['2024-04-29', '2024-05-06', '2024-05-13', '2024-05-20'], 5 / 21],
    ['day', Array.from({ length: 21 }, (_, k) => `2024-05-${String(k + 1).padStart(2, '0')}`), 1 / 21],
  ])('divides by %s, in its order', async (by, names, first) => {
    const { segments } = await evaluateBy(log, { by, target })
    expect(segments.map(({ segment }) => segment)).toEqual(names)
    if (by !== 'position') expect(segments[0]!.rows / log.rows).toBeCloseTo(first, 2)
  })

  it('says what a log lacks', async () => {
    const { time: _t, position: _p, labels: _l, ...bare } = log
    await expect(evaluateBy(bare, { by: 'week', target })).rejects.toThrow('timestamp in every row')
    await expect(evaluateBy(bare, { by: 'position', target })).rejects.toThrow('position of every row')
    await expect(evaluateBy(bare, { by: 'category', target })).rejects.toThrow('category of every item')
    await expect(evaluateBy(bare, { by: 'constructor', target })).rejects.toThrow('without the column')
    await expect(evaluateBy(log, { by: 'user', target })).rejects.toThrow('one user')
    const numbered = { ...bare, time: Float64Array.from(log.user.keys()) }
    await expect(evaluateBy(numbered, { by: 'day', target })).rejects.toThrow('neither dates nor times')
  })
})

describe('segments of items', () => {
  it('are what their items contribute: they add up to the value of the policy, and to what was logged', async () => {
    const { evaluation } = await evaluate(log, { target, estimators: ['snips'] })
    const byColumn = await evaluateBy(log, { by: 'genre', target })
    const categories = ['drama', 'comedy', 'drama', 'news', 'comedy', 'news']
    const byCategory = await evaluateBy(log, { by: 'category', target, categories })
    expect(byCategory.segments).toEqual(byColumn.segments)
    expect(byColumn.per).toBe('log')
    const total = (of: (segment: (typeof byColumn.segments)[number]) => number): number =>
      byColumn.segments.reduce((sum, segment) => sum + of(segment), 0)
    expect(total(({ value }) => value!)).toBeCloseTo(evaluation.estimates[0]!.value!, 12)
    expect(total(({ meanReward }) => meanReward!)).toBeCloseTo(evaluation.log.meanReward, 12)
    expect(byColumn.segments.map(({ verdict }) => verdict.level)).toEqual(['trust', 'trust', 'trust'])
  })

  it('would be refused as parts of the rows, since the policy chooses them', async () => {
    const drama = takeRows(log, rowsOf(log, 'genre', 'drama'))
    const { evaluation } = await evaluate(drama, { target, estimators: ['snips'] })
    expect(evaluation.verdict.reasons.map(({ code }) => code)).toContain('mean-weight')
  })

  it('are known by labels that never differ within an item, where chance would make them', () => {
    const many = { rows: 1000, items: 10, squares: 500_000, mostLabels: 1 }
    expect(dependsOnItem(many)).toBe(true)
    expect(dependsOnItem({ ...many, mostLabels: 2 })).toBe(false)
    // Each item is shown about once, or nearly all rows share a label: nothing tells.
    expect(dependsOnItem({ ...many, items: 990 })).toBe(false)
    expect(dependsOnItem({ ...many, squares: 999_000 })).toBe(false)
  })
})

describe('segments of pages that are weighed whole', () => {
  const strength = [4, 3, 2, 1]
  const random = randomStream(5, 'pages')
  const drawn = Array.from({ length: 900 }, (_, user) => {
    const { items, conditional } = drawPage(strength, 3, random)
    const reward = items.map((item, k) => Number(random.uniform() < (0.2 + 0.1 * item) / (k + 1)))
    return { items, propensity: conditional, reward, user }
  })
  const rows = logOf(drawn, strength.length)
  const labels = { device: { index: rows.slate!.map((page) => page % 2), ids: ['phone', 'desk'] } }
  const { weight: _, ...pages } = { ...rows, labels }
  const asked = { target, estimator: 'snrips' } as const

  it('compare what a page would earn with what it earned', async () => {
    const { segments, per } = await evaluateBy(pages, { ...asked, by: 'device' })
    expect(per).toBe('segment')
    for (const [k, { value, meanReward, difference, differenceInterval }] of segments.entries()) {
      const own = takeRows(pages, rowsOf(pages, 'device', segments[k]!.segment))
      const targets = [{ target: { kind: 'logging' } as const }, { target }]
      const { differences, evaluations } = await compare(own, {
        targets,
        estimator: 'snrips',
        confidence: pow(0.95, 0.5),
      })
      expect(meanReward).toBe(evaluations[0]!.log.meanPageReward)
      expect(value).toBe(differences[0]!.value)
      expect(difference).toBeCloseTo(differences[0]!.difference!, 12)
      differenceInterval!.forEach((end, k) => expect(end).toBeCloseTo(differences[0]!.interval![k]!, 12))
    }
  })

  it('are what their slots contribute where they divide pages', async () => {
    const { segments, per, notes } = await evaluateBy(pages, { ...asked, by: 'position' })
    expect([per, notes[0]]).toEqual(['log', expect.stringContaining('Pages are weighed whole')])
    const { evaluation } = await evaluate(pages, { target, estimators: ['snrips'] })
    const sum = (of: (segment: (typeof segments)[number]) => number): number =>
      segments.reduce((total, segment) => total + of(segment), 0)
    expect(sum(({ value }) => value!)).toBeCloseTo(evaluation.estimates[0]!.value!, 12)
    expect(sum(({ meanReward }) => meanReward!)).toBeCloseTo(evaluation.log.meanPageReward!, 12)
  })

  it('have no difference but rounding where both policies are the same', async () => {
    const even = logOf(
      drawn.map((page) => ({ ...page, propensity: page.items.map((_, k) => 1 / (4 - k)) })),
      strength.length,
    )
    const { segments } = await evaluateBy(even, { target, by: 'position' })
    expect(segments.map(({ difference }) => difference)).toEqual([0, 0, 0])
    const reasons = segments.flatMap(({ verdict }) => verdict.reasons.map(({ message }) => message))
    expect(reasons.filter((message) => message.includes('standard errors away'))).toEqual([])
  })
})

describe('what makes no segment', () => {
  it('a label that tells the outcome is refused', async () => {
    const { segments } = await evaluateBy(log, { by: 'outcome', target })
    for (const { verdict } of segments)
      expect([verdict.level, verdict.reasons[0]!.code]).toEqual(['refuse', 'label-is-outcome'])
  })

  it('no segment is trusted where checks find the whole log wrong', async () => {
    const rows = Array.from(log.reward, (reward, row) => (reward > 0 ? [row, row] : [row])).flat()
    const wrong = takeRows(log, Uint32Array.from(rows))
    const { segments } = await evaluateBy(wrong, { by: 'day', target })
    for (const { verdict } of segments) {
      expect(verdict.means).toBe('do-not-believe')
      expect(verdict.reasons[0]!.message).toMatch(/^In the whole log: [\d,]+ rows are copies/)
    }
  })

  it('a verdict takes from the whole log what concerns all rows, and keeps its own', () => {
    const verdict = (level: Reason['level'], question: Reason['question'], ...codes: string[]): Verdict =>
      verdictFrom(codes.map((code) => ({ level, question, code, message: code, value: null })))
    const codesOf = ({ level, reasons }: Verdict): string[] => [level, ...reasons.map(({ code }) => code)]
    const trust = verdict('note', 'rewards')
    expect(withWhole(trust, verdict('note', 'rewards', 'copied-rows'))).toBe(trust)
    // How well a segment is covered is its own business.
    expect(withWhole(trust, verdict('refuse', 'overlap', 'dominated', 'unsupported'))).toBe(trust)
    const own = verdict('caution', 'overlap', 'dominated')
    const found = withWhole(own, verdict('refuse', 'propensities', 'mean-weight'))
    expect([found.means, codesOf(found)]).toEqual(['do-not-believe', ['refuse', 'mean-weight', 'dominated']])
    expect(found.reasons[0]!.message).toBe('In the whole log: mean-weight')
    // What is known to be as bad or worse is not said again.
    const [caution, refuse] = (['caution', 'refuse'] as const).map((level) =>
      verdict(level, 'propensities', 'mean-weight'),
    ) as [Verdict, Verdict]
    expect(withWhole(refuse, caution)).toBe(refuse)
    expect(withWhole(caution, caution)).toBe(caution)
    expect(codesOf(withWhole(caution, refuse))).toEqual(['refuse', 'mean-weight', 'mean-weight'])
    // Refused for a row that dominates, the whole log has only a caution to hand on.
    const mixed = verdictFrom([
      ...verdict('refuse', 'overlap', 'dominated').reasons,
      ...verdict('caution', 'declared', 'propensities-assumed').reasons,
    ])
    expect(codesOf(withWhole(trust, mixed))).toEqual(['caution', 'propensities-assumed'])
  })
})

describe('confidenceOfEach', () => {
  it('makes all hold at once: c = Π c_k where they are independent', () => {
    expect(confidenceOfEach(0.95, 1)).toBe(0.95)
    expect(confidenceOfEach(0.95, 0)).toBe(0.95)
    expect(confidenceOfEach(0.81, 2)).toBeCloseTo(0.9, 14)
    for (const looks of [2, 7, 50]) expect(confidenceOfEach(0.95, looks) ** looks).toBeCloseTo(0.95, 12)
  })
})
