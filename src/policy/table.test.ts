import { describe, expect, it } from 'vitest'
import { tablePolicy } from './probabilities.js'

describe('tablePolicy', () => {
  it('gives back the probabilities it was given, to the last bit', () => {
    const rows = [
      [0.1, 0.2, 0.7],
      [1 / 3, 1 / 3, 1 / 3],
    ]
    // Rounded, 1/49 taken 49 times is not one.
    const many = Array.from({ length: 49 }, () => 1 / 49)
    expect(Array.from(tablePolicy('table', many).probabilities(0))).toEqual(many)
    const policy = tablePolicy('table', rows)
    rows.forEach((row, user) => expect(Array.from(policy.probabilities(user))).toEqual(row))
    expect(Array.from(tablePolicy('table', rows[0]!).probabilities(5))).toEqual(rows[0])
  })

  it('divides by the sum where printed digits leave it a little off one', () => {
    const [a, b] = tablePolicy('table', [0.3333333333, 0.6666666666]).probabilities(0)
    expect(a! + b!).toBe(1)
    expect(b! / a!).toBeCloseTo(2, 15)
  })

  it('keeps a copy of what is given for all users', () => {
    const row = [0.5, 0.5]
    const policy = tablePolicy('table', row)
    row[0] = 0.9
    expect(policy.probabilities(0)[0]).toBe(0.5)
  })

  it.each([
    [[], 'Policy t: the probabilities of 0 items sum to 0, not 1.'],
    [[[]], 'Policy t, user 0: the probabilities of 0 items sum to 0, not 1.'],
    [[0.5, 0.6], 'Policy t: the probabilities of 2 items sum to 1.1, not 1.'],
    [
      [
        [1, 0],
        [0.5, 0.5 + 2 ** -24],
      ],
      'Policy t, user 1: the probabilities of 2 items sum to 1.0000000596046448, not 1.',
    ],
    [
      [
        [1, 0],
        [1.5, -0.5],
      ],
      'Policy t, user 1: the probability of item 1 is -0.5.',
    ],
    [
      [
        [1, 0],
        [NaN, 1],
      ],
      'Policy t, user 1: the probability of item 0 is NaN.',
    ],
    [[[1, 0], [1]], 'Policy t, user 1: 1 probabilities for 2 items.'],
  ])('refuses %j', (table, message) => {
    expect(() => tablePolicy('t', table)).toThrow(
      expect.objectContaining({ code: 'bad-option', message, remedy: expect.any(String) as string }) as Error,
    )
  })

  it('has nothing to say about a user without a row', () => {
    const policy = tablePolicy('t', [[1, 0]])
    expect(() => policy.probabilities(1)).toThrow('Policy t has no row for user 1.')
  })
})
