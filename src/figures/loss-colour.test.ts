import { expect, it } from 'vitest'
import { lossColour } from './family-colour.js'

it('colours what was trained by its loss', () => {
  const none = { kind: 'none', strength: 0 } as const
  expect(lossColour({ loss: 'bpr', regulariser: none })).toBe('ink')
  expect(lossColour({ loss: 'ips-bpr', regulariser: none })).toBe('ips-bpr')
  expect(lossColour({ loss: 'ips-bpr', regulariser: { kind: 'shrink', strength: 0.1 } })).toBe('ips-bpr-pr')
})
