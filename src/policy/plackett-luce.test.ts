import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomStream } from '../random/stream.js'
import { plackettLucePolicy } from './plackett-luce.js'
import { softmaxPolicy } from './ruled-policy.js'

const sum = (values: Iterable<number>): number => Array.from(values).reduce((a, b) => a + b, 0)
const product = (values: Iterable<number>): number => Array.from(values).reduce((a, b) => a * b, 1)

/** All ordered slates of so many positions. */
function slatesOf(items: number, positions: number): number[][] {
  if (positions === 0) return [[]]
  return slatesOf(items, positions - 1).flatMap((slate) =>
    Array.from({ length: items }, (_, item) => item)
      .filter((item) => !slate.includes(item))
      .map((item) => [...slate, item]),
  )
}

const problem = fc
  .array(fc.oneof(fc.double({ min: -20, max: 20, noNaN: true }), fc.constantFrom(0, 1)), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((scores) =>
    fc.record({
      scores: fc.constant(scores),
      positions: fc.integer({ min: 1, max: scores.length }),
      temperature: fc.constantFrom(0.05, 0.5, 1, 3, Infinity),
    }),
  )

const policies = [
  ['of plain scores', plackettLucePolicy('p', [0, 1, 2, 0.5, -1], { positions: 3 })],
  [
    'with items never shown',
    plackettLucePolicy('p', [0, -Infinity, 2, 0.5, -1, 1], { positions: 3, candidates: [0, 1, 2, 5] }),
  ],
  [
    'of personal scores',
    plackettLucePolicy('p', (user) => [user, 1, 2, 3], { items: 4, positions: 2, temperature: 2 }),
  ],
  [
    'of scores so far apart that weights vanish',
    plackettLucePolicy('p', [1e6, 0, 0, -1e6, -1e6, -1e6 + 1], { positions: 5 }),
  ],
  ['at infinite temperature', plackettLucePolicy('p', [3, 2, 1], { positions: 3, temperature: Infinity })],
  ['near temperature zero', plackettLucePolicy('p', [3, 2, 1, 1], { positions: 4, temperature: 1e-310 })],
] as const

describe.each(policies)('a Plackett–Luce policy %s', (_name, policy) => {
  it.each([0, 5])('draws slates and items at positions as often as it says, for user %i', (user) => {
    const draws = 20_000
    const slates = new Map<string, number>()
    const atPosition = Array.from({ length: policy.positions }, () => new Float64Array(policy.items))
    const random = randomStream(4, 'slates', user)
    for (let k = 0; k < draws; k++) {
      const { items } = policy.sample(user, random)
      slates.set(items.join(' '), (slates.get(items.join(' ')) ?? 0) + 1)
      items.forEach((item, position) => atPosition[position]![item]!++)
    }
    const expectShare = (seen: number, p: number): void =>
      expect(Math.abs(seen - draws * p)).toBeLessThanOrEqual(
        Math.max(5 * Math.sqrt(draws * p * Math.max(0, 1 - p)), 1e-9),
      )
    for (const slate of slatesOf(policy.items, policy.positions)) {
      const p = policy.slateProbability(user, slate)
      if (p === 0 || draws * p > 20) expectShare(slates.get(slate.join(' ')) ?? 0, p)
    }
    policy.marginals(user).forEach((marginal, position) =>
      marginal.forEach((p, item) => {
        if (p === 0 || draws * p > 20) expectShare(atPosition[position]![item]!, p)
      }),
    )
  })

  it('records the probability of each step, and of the slate as their product', () => {
    const random = randomStream(8, 'slates')
    for (let k = 0; k < 200; k++) {
      const { items, stepPropensities, propensity } = policy.sample(1, random)
      expect(new Set(items).size).toBe(policy.positions)
      expect(stepPropensities).toEqual(policy.stepProbabilities(1, items))
      expect(propensity).toBe(product(stepPropensities))
      expect(propensity).toBe(policy.slateProbability(1, items))
      expect(propensity).toBeGreaterThan(0)
    }
  })

  it('draws the same for the same random numbers', () => {
    expect(policy.sample(0, randomStream(5, 'a'))).toEqual(policy.sample(0, randomStream(5, 'a')))
  })

  it('has slate probabilities that sum to one and add up to the marginals', () => {
    const slates = slatesOf(policy.items, policy.positions)
    expect(Math.abs(sum(slates.map((slate) => policy.slateProbability(2, slate))) - 1)).toBeLessThan(1e-12)
    policy.marginals(2).forEach((marginal, position) => {
      const added = new Float64Array(policy.items)
      for (const slate of slates) added[slate[position]!]! += policy.slateProbability(2, slate)
      marginal.forEach((p, item) => expect(Math.abs(p - added[item]!)).toBeLessThan(1e-12))
    })
  })
})

describe('plackettLucePolicy', () => {
  it('has slate probabilities that sum to one, and marginals that are their sums', () => {
    fc.assert(
      fc.property(problem, ({ scores, ...options }) => {
        const policy = plackettLucePolicy('p', scores, options)
        const slates = slatesOf(scores.length, options.positions)
        const added = Array.from({ length: options.positions }, () => new Float64Array(scores.length))
        for (const slate of slates) {
          const p = policy.slateProbability(0, slate)
          slate.forEach((item, position) => (added[position]![item]! += p))
        }
        policy.marginals(0).forEach((marginal, position) => {
          expect(Math.abs(sum(marginal) - 1)).toBeLessThan(1e-12)
          marginal.forEach((p, item) => expect(Math.abs(p - added[position]![item]!)).toBeLessThan(1e-12))
        })
      }),
    )
  })

  it('is the softmax where there is one position, and at the first of several', () => {
    fc.assert(
      fc.property(problem, ({ scores, positions, temperature }) => {
        const softmax = softmaxPolicy('s', scores, temperature).probabilities(0)
        const policy = plackettLucePolicy('p', scores, { positions, temperature })
        const first = policy.marginals(0)[0]!
        softmax.forEach((p, item) => {
          expect(first[item]).toBeCloseTo(p, 14)
          expect(policy.slateProbability(0, [item])).toBeCloseTo(p, 14)
        })
      }),
    )
  })

  it('takes each step by the softmax over the items left', () => {
    fc.assert(
      fc.property(problem, fc.nat(), ({ scores, positions, temperature }, seed) => {
        const policy = plackettLucePolicy('p', scores, { positions, temperature })
        const { items, stepPropensities } = policy.sample(0, randomStream(seed, 'steps'))
        const left = scores.slice()
        items.forEach((item, position) => {
          const softmax = softmaxPolicy('s', left, temperature).probabilities(0)
          expect(stepPropensities[position]).toBeCloseTo(softmax[item]!, 13)
          left[item] = -Infinity
        })
      }),
    )
  })

  it('shows every item somewhere where there are as many positions', () => {
    const policy = plackettLucePolicy('p', [3, 1, 4, 1, 5, 9, 2, 6], { positions: 8 })
    const marginals = policy.marginals(0)
    for (let item = 0; item < 8; item++)
      expect(sum(marginals.map((marginal) => marginal[item]!))).toBeCloseTo(1, 13)
  })

  it('gives items of the same score the same marginals', () => {
    for (const marginal of plackettLucePolicy('p', [2, 1, 2, 1, 0], { positions: 4 }).marginals(0)) {
      expect(marginal[0]).toBeCloseTo(marginal[2]!, 14)
      expect(marginal[1]).toBeCloseTo(marginal[3]!, 14)
    }
  })

  it('keeps the digits of steps after far better items have gone', () => {
    const policy = plackettLucePolicy('p', [1e5, 0, 1], { positions: 3 })
    const expected = 1 / (1 + Math.exp(-1))
    expect(policy.stepProbabilities(0, [0, 2, 1])[1]).toBeCloseTo(expected, 15)
    expect(policy.marginals(0)[1]![2]).toBeCloseTo(expected, 15)
  })

  it('gives no probability to items that cannot be shown, nor to an item shown again', () => {
    const policy = plackettLucePolicy('p', [0, 0, 0, -Infinity], { positions: 2 })
    expect(Array.from(policy.stepProbabilities(0, [3, 0]))).toEqual([0, 1 / 3])
    expect(Array.from(policy.stepProbabilities(0, [1, 1]))).toEqual([1 / 3, 0])
    expect(policy.slateProbability(0, [1, 1])).toBe(0)
  })

  it('takes an empty beginning for certain', () => {
    expect(plackettLucePolicy('p', [0, 1], { positions: 1 }).slateProbability(0, [])).toBe(1)
  })

  it('knows the marginals of some positions among many items, and of twenty among twenty', () => {
    const many = plackettLucePolicy(
      'p',
      Array.from({ length: 200 }, (_, k) => Math.sin(k)),
      { positions: 3 },
    )
    for (const marginal of many.marginals(0)) expect(sum(marginal)).toBeCloseTo(1, 12)
    const all = plackettLucePolicy('p', new Float64Array(20), { positions: 20 })
    for (const p of all.marginals(0)[13]!) expect(p).toBeCloseTo(1 / 20, 13)
  })

  it('says so where exact marginals would take too long', () => {
    const policy = plackettLucePolicy('p', new Float64Array(1000), { positions: 10 })
    expect(() => policy.marginals(0)).toThrow(
      /Policy p: exact marginals of 10 positions and 1000 items take 2\.\de\+24 steps/,
    )
  })

  it.each([
    [{ positions: 0 }, 'Policy p: 3 items cannot fill 0 positions.'],
    [{ positions: 4 }, 'Policy p: 3 items cannot fill 4 positions.'],
    [{ positions: 1.5 }, 'Policy p: 3 items cannot fill 1.5 positions.'],
    [{ positions: 2, candidates: [1] }, 'Policy p: 1 items cannot fill 2 positions.'],
    [{ positions: 2, temperature: 0 }, 'Policy p: a temperature of 0 is not above 0.'],
  ])('refuses %j', (options, message) => {
    expect(() => plackettLucePolicy('p', [1, 2, 3], options)).toThrow(
      expect.objectContaining({ code: 'bad-option', message, remedy: expect.any(String) as string }) as Error,
    )
  })

  it('names the user who has too few candidates', () => {
    const policy = plackettLucePolicy('p', [1, 2, 3], { positions: 2, candidates: (user) => [user] })
    expect(() => policy.sample(1, randomStream(1, 'x'))).toThrow('Policy p, user 1: 1 items cannot fill 2')
  })

  it('refuses slates of more positions and of other items', () => {
    const policy = plackettLucePolicy('p', [1, 2, 3], { positions: 2 })
    expect(() => policy.slateProbability(0, [0, 1, 2])).toThrow('shows 2 items, not the 3 of this slate')
    for (const item of [3, -1, 0.5])
      expect(() => policy.slateProbability(0, [item])).toThrow(
        expect.objectContaining({
          message: `Policy p has no item ${item}.`,
          remedy: expect.stringContaining('from 0 to 2') as string,
        }) as Error,
      )
  })

  it('keeps the slates it has always drawn', () => {
    const policy = plackettLucePolicy('p', [0, 1, 2, 3, 4, 5], { positions: 3, temperature: 2 })
    const random = randomStream(7, 'slates')
    expect(Array.from({ length: 4 }, () => policy.sample(0, random).items.join(' '))).toMatchInlineSnapshot(`
      [
        "5 2 4",
        "5 3 4",
        "4 3 5",
        "4 5 2",
      ]
    `)
  })
})

describe('exact marginals', () => {
  it('take no more steps than there are sets: fourteen items in fourteen positions are few', () => {
    const marginals = plackettLucePolicy('p', new Float64Array(14), { positions: 14 }).marginals(0)
    for (const marginal of marginals) for (const share of marginal) expect(share).toBeCloseTo(1 / 14, 12)
  })

  it('keep their digits where the best item comes last and the others vanish beside it', () => {
    const [first, second, third] = plackettLucePolicy('p', [0, Math.log(3), 2000], {
      positions: 3,
    }).marginals(0)
    expect(Array.from(first!)).toEqual([0, 0, 1])
    expect(second![0]).toBeCloseTo(1 / 4, 12)
    expect(second![1]).toBeCloseTo(3 / 4, 12)
    expect(third![0]).toBeCloseTo(3 / 4, 12)
  })
})
