import { beforeEach, describe, expect, it } from 'vitest'
import { evaluate } from '$core/estimate/evaluate.js'
import { evaluateBy } from '$core/estimate/segments/memory-segments.js'
import type { Reading } from './log-source.js'
import { evaluateTarget } from './evaluate.js'
import { held } from './held.js'
import { openLog } from './open-log.js'
import { segmentsOfTarget } from './segments.js'

const NAMES = Array.from({ length: 9 }, (_, k) => `few${k}`)
/** Clicks with a device, a note that is in every row another, and nine columns with few values. */
const csv = [
  `user_id,item_id,reward,propensity,device,note,same,${NAMES.join()}`,
  ...Array.from({ length: 400 }, (_, k) =>
    [
      `u${k % 50}`,
      `i${k % 4}`,
      k % 3 === 0 ? 1 : 0,
      0.25,
      k % 5 === 4 ? '' : k % 3 === 1 ? 'desk' : 'phone',
      `n${k}`,
      'x',
    ]
      .concat(NAMES.map((_, n) => (k + n) % 2))
      .join(),
  ),
].join('\n')
const open = (text = csv, reading: Reading = {}, name = 'log.csv') =>
  openLog({ kind: 'file', file: new File([text], name), reading }, {})

describe('the columns that rows can be divided by', () => {
  it('have few values, and are few; those left out are named with the reason', async () => {
    const { labels } = await open()
    expect(labels!.names).toEqual(['device', ...NAMES.slice(0, 7)])
    expect(labels!.leftOut).toEqual([
      { name: 'note', why: 'more than 50 different values in the first rows' },
      { name: 'few7', why: 'only the first 8 columns with few values are kept' },
      { name: 'few8', why: 'only the first 8 columns with few values are kept' },
    ])
    expect(Object.keys(held().log.labels!)).toEqual(labels!.names)
  })

  it('are none that the log uses, whatever they are called', async () => {
    const { labels } = await open(csv, { columns: { cluster: 'few0' } })
    expect(labels!.names).not.toContain('few0')
    expect(labels!.leftOut.map(({ name }) => name)).not.toContain('few0')
  })

  it('are found in JSON lines too, where objects and lists are no labels', async () => {
    const text = Array.from({ length: 20 }, (_, k) =>
      JSON.stringify({
        user_id: `u${k % 5}`,
        item_id: `i${k % 2}`,
        reward: k % 2,
        propensity: 0.5,
        device: k % 3 === 0 ? 'phone' : 'desk',
        about: { page: k % 2 },
        tags: [k % 2],
      }),
    ).join('\n')
    const { labels, description } = await open(text, {}, 'log.ndjson')
    expect(description.rows).toBe(20)
    expect(labels!.names).toEqual(['device'])
  })

  it('are none where the doctor has mended the log', async () => {
    expect((await open(csv, { mended: true })).labels).toEqual({ names: [], leftOut: [] })
  })
})

describe('segments at the desk', () => {
  beforeEach(() => open())
  const target = { kind: 'uniform' } as const

  it('are those of the command line, by the estimator that answers for all rows', async () => {
    const choices = { estimators: ['clipped-ips', 'dm'], cluster: 'user' } as const
    const { evaluation } = await evaluateTarget({ target, choices })
    const { log } = held()
    const { cluster } = choices
    const { estimates } = (await evaluate(log, { ...choices, target })).evaluation
    const lambda = estimates[0]!.lambda!.value
    expect(lambda).not.toBeUndefined()
    const expected = await evaluateBy(log, {
      target,
      cluster,
      by: 'device',
      whole: evaluation,
      estimator: `clipped-ips:${lambda ?? Infinity}`,
    })
    expect(await segmentsOfTarget({ target, choices, by: 'device', whole: evaluation })).toEqual(expected)
    expect(expected.segments.map(({ segment }) => segment)).toEqual(['phone', 'desk', ''])
  })
})
