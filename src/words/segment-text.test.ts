import { describe, expect, it } from 'vitest'
import type { Segment, Segments, VerdictLevel } from '../estimate/evaluation.js'
import { looksText, segmentName, segmentOutcome, segmentsAnswer, segmentValues } from './segment-text.js'
import { exampleVerdict } from '../verdict/example-verdict.js'

const segmentOf = (
  differenceInterval: readonly [number, number] | null,
  level: VerdictLevel = 'trust',
): Segment => ({
  segment: 'phone',
  rows: 12_345,
  meanReward: 0.3,
  value: 0.31234,
  se: 0.002,
  interval: [0.308, 0.317],
  difference: 0.01234,
  differenceInterval,
  ess: 5000,
  effectiveClicks: 900,
  verdict: exampleVerdict(level),
})

const of = (...segments: Segment[]): Segments => ({
  schema: 'hindcast.segments/2',
  by: 'device',
  per: 'segment',
  target: 'uniform',
  estimator: 'snips',
  confidence: 0.95,
  looks: segments.length,
  eachConfidence: 0.95 ** (1 / segments.length),
  segments,
  notes: [],
})

const [more, less, open] = [segmentOf([0.01, 0.02]), segmentOf([-0.02, -0.01]), segmentOf([-0.1, 0.1])]
const refused = segmentOf([0.01, 0.02], 'refuse')

describe('segmentsAnswer', () => {
  it.each([
    [
      [more, less, open],
      'The target earns more than logging in 1, less in 1, not detectably different in 1 of 3 segments by device',
    ],
    [[open, open], 'The target does not differ detectably from logging in any of 2 segments by device'],
    [
      [open, refused],
      'The target does not differ detectably from logging in 1 of 2 segments by device; no answer for 1',
    ],
    [[more, refused], 'The target earns more than logging in 1 of 2 segments by device; no answer for 1'],
    [
      [less, open],
      'The target earns less than logging in 1, not detectably different in 1 of 2 segments by device',
    ],
    [[refused], 'No answer from this log: no segment by device has enough data'],
  ])('%#', (segments, sentence) => expect(segmentsAnswer(of(...segments))).toBe(sentence))
})

it('a refused segment settles nothing, whatever its interval', () => {
  expect(segmentOutcome(refused)).toBe('open')
  expect(segmentOutcome({ ...more, differenceInterval: null })).toBe('open')
})

it('rows without a label and gathered segments have names', () => {
  expect(segmentName({ segment: '' })).toBe('(none)')
  expect(segmentName({ segment: '', gathers: 1 })).toBe('1 other')
  expect(segmentName({ segment: '', gathers: 2800 })).toBe('2,800 others')
})

it('says how many looks the intervals account for', () => {
  expect(looksText(of(more))).toBe('The interval has a confidence of 95 %')
  expect(looksText(of(more, less))).toBe('Both intervals hold together with 95 % confidence (97.47 % each)')
  expect(looksText(of(more, less, open))).toBe(
    'All 3 intervals hold together with 95 % confidence (98.3 % each)',
  )
})

it('says what a segment earned', () => {
  expect(segmentValues(more)).toBe('0.3123 against 0.3000 logged, from 12,345 rows')
  expect(segmentValues({ ...more, value: null })).toBe('12,345 rows')
})
