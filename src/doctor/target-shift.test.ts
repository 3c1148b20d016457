import { expect, it } from 'vitest'
import { drawFrom, examinationOf, honestLogs, impressionsOf, softmax, toyWorld } from './example-log.js'
import { checkTargetShift } from './target-shift.js'

const rows = impressionsOf(
  toyWorld({
    target: (user) => softmax(Array.from({ length: 200 }, (_, item) => ((item * 7 + (user % 3)) % 11) / 3)),
  }),
  drawFrom(1),
)

it('finds target probabilities that slipped by a row, up or down', () => {
  for (const shift of [-1, 1]) {
    const slipped = rows.map((row, k) => ({ ...row, target: rows.at((k + shift) % rows.length)!.target! }))
    const [finding] = checkTargetShift(examinationOf(slipped))
    expect(finding).toMatchObject({ code: 'target-shifted', lowersTo: 'refuse', numbers: { shift } })
  }
})

it('suspects no sound log, nor one without targets', () => {
  expect(checkTargetShift(examinationOf(rows))).toEqual([])
  for (const honest of Object.values(honestLogs))
    for (let seed = 1; seed <= 3; seed++)
      expect(checkTargetShift(examinationOf(honest(drawFrom(seed))))).toEqual([])
})
