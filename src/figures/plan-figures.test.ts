import { describe, expect, it } from 'vitest'
import { drawnLog } from '../estimate/plan/example-world.js'
import { plan } from '../estimate/plan/plan.js'
import type { Plan } from '../estimate/plan/plan-record.js'
import { createDocument } from '../node/dom.js'
import { explorationFigure, powerCurve } from './index.js'

const document = createDocument()
const TARGET = { kind: 'column', name: 'target' } as const
const log = drawnLog({ users: 400, rowsPerUser: 5, days: 14, seed: 6, byDay: 0.05, byUser: 0.1 })
const made: Plan = await plan(log, { target: TARGET, detect: 0.02, width: 0.02 })
const refused: Plan = { ...made, verdict: { level: 'refuse', reasons: [] } }

describe('the figures of a plan', () => {
  it.each([powerCurve(made, { document }), explorationFigure(made, { document })])(
    '$name is drawn as in the gallery',
    async ({ name, svg }) => {
      await expect(svg).toMatchFileSnapshot(`../../docs/gallery/${name}.svg`)
    },
  )

  it('name the size that is needed, and their tables hold every point', () => {
    const chart = powerCurve(made, { document })
    const { factor } = made.goals[1]!.needed!
    expect(chart.title).toBe(
      `A log ${Number(factor.toPrecision(2))} times as large finds a difference of 0.020 between column:target and logging with 80 % probability`,
    )
    expect(chart.table.rows).toHaveLength(made.curve.length)
    expect(explorationFigure(made, { document }).table.rows).toHaveLength(made.exploration!.points.length)
  })

  it('state no finding where the verdict is refuse', () => {
    for (const { title } of [powerCurve(refused, { document }), explorationFigure(refused, { document })]) {
      expect(title).toMatch(/^No answer from this log/)
      expect(title).not.toMatch(/\d/)
    }
  })

  it('draw nothing where exploration is not known, and say why', () => {
    const unknown: Plan = { ...made, exploration: null, explorationReason: 'the log has no propensities' }
    expect(() => explorationFigure(unknown, { document })).toThrow('the log has no propensities')
  })
})
