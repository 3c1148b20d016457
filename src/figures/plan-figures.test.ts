import { describe, expect, it } from 'vitest'
import { drawnLog } from '../estimate/plan/example-world.js'
import { plan } from '../estimate/plan/plan.js'
import type { Plan } from '../estimate/plan/plan-record.js'
import { popularityTargets } from '../estimate/popularity-targets.js'
import { createDocument } from '../node/dom.js'
import { explorationFigure, powerCurve, temperaturesFigure } from './index.js'
import { exampleVerdict } from '../verdict/example-verdict.js'
import { softmaxAt } from '../policy/score-rule.js'

const document = createDocument()
const TARGET = { kind: 'column', name: 'target' } as const
const said = { policyMade: 'elsewhere' } as const
const log = drawnLog({ users: 400, rowsPerUser: 5, days: 14, seed: 6, byDay: 0.05, byUser: 0.1 })
const made: Plan = await plan(log, { said, target: TARGET, detect: 0.02, width: 0.02 })
const popular = { kind: 'policy', policy: popularityTargets(log).by(softmaxAt(0.25)) } as const
const tempered: Plan = await plan(log, { said, target: popular, detect: 0.02, epsilons: [] })
const refused: Plan = { ...made, verdict: exampleVerdict('refuse') }

describe('the figures of a plan', () => {
  it.each([
    powerCurve(made, { document }),
    explorationFigure(made, { document }),
    temperaturesFigure(tempered, { document }),
  ])('$name is drawn as in the gallery', async ({ name, svg }) => {
    await expect(svg).toMatchFileSnapshot(`../../docs/gallery/${name}.svg`)
  })

  it('name the size that is needed, and their tables hold every point', () => {
    const chart = powerCurve(made, { document })
    const { factor } = made.goals[1]!.needed!
    expect(chart.title).toBe(
      `A log ${Number(factor.toPrecision(2))} times as large finds a difference of 0.020 between column:target and logging with 80 % probability`,
    )
    expect(chart.table.rows).toHaveLength(made.curve.length)
    expect(explorationFigure(made, { document }).table.rows).toHaveLength(made.exploration!.points.length)
  })

  it('tell lines of one colour apart in the key of a narrow picture: a dot for the solid one, dashes for the other', () => {
    const { narrow } = powerCurve(made, { document })
    const dashes = (text: string): number => text.match(/d="M0,0L0,-5"/g)?.length ?? 0
    const [before, after] = narrow.split('CI of the difference</text>')
    expect([dashes(before!), dashes(after!)]).toEqual([0, 2])
  })

  it('state no finding where the verdict is refuse', () => {
    for (const { title } of [powerCurve(refused, { document }), explorationFigure(refused, { document })]) {
      expect(title).toMatch(/^No answer from this log/)
      expect(title).not.toMatch(/\d/)
    }
  })

  it('state no size where the verdict is refuse', () => {
    const names = (plan: Plan): string[] =>
      explorationFigure(plan, { document }).table.columns.map(({ name }) => name)
    expect(names(made)).toContain('more_rows_1')
    expect(names(refused).join(' ')).not.toContain('more_rows')
    expect(explorationFigure(refused, { document }).svg).not.toContain('More rows')
  })

  it('leave out errors and rows at temperatures that are refused, and title nothing where the target is', () => {
    const { own, points } = tempered.temperatures!
    const [first, ...others] = points
    const level = 'refuse' as const
    const sharpest = { ...first!, verdict: exampleVerdict(level) }
    const partly: Plan = { ...tempered, temperatures: { own, points: [sharpest, ...others] } }
    const { table } = temperaturesFigure(partly, { document })
    const column = table.columns.findIndex(({ name }) => name === 'se_of_value')
    expect(table.rows.map((row) => row[column] === null)).toEqual(points.map((_, k) => k === 0))
    const { title, stamp } = temperaturesFigure({ ...tempered, verdict: exampleVerdict(level) }, { document })
    expect([title, stamp]).toEqual(['No answer from this log: the target at other temperatures', level])
  })

  it('draw nothing where exploration is not known, and say why', () => {
    const unknown: Plan = { ...made, exploration: null, explorationReason: 'the log has no propensities' }
    expect(() => explorationFigure(unknown, { document })).toThrow('the log has no propensities')
    expect(() => temperaturesFigure(made, { document })).toThrow('column:target has no temperature')
  })
})
