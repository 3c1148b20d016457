import { describe, expect, it } from 'vitest'
import type { Arguments } from './command.js'
import { trainChoicesOf } from './train-options.js'

const typed = (values: Arguments['values']) => trainChoicesOf({ positionals: [], values }).settings

describe('--objective', () => {
  it('is a loss, with its number where one was typed', () => {
    expect(typed({ objective: 'ips' })).toEqual({ loss: 'ips' })
    expect(typed({ objective: 'poem:0.5' })).toEqual({ loss: 'poem', parameter: 0.5 })
    expect(typed({ objective: 'snips' })).toEqual({ loss: 'snips' })
  })

  it.each<[Arguments['values'], string, RegExp]>([
    [
      { objective: 'poems' },
      'There is no objective "poems".',
      /^Did you mean poem\? Choose one of ips, clipped-ips/,
    ],
    [{ objective: 'bpr' }, 'There is no objective "bpr".', /Choose one of ips/],
    [
      { objective: 'ips:3' },
      '--objective does not accept "ips:3".',
      /^It takes no number: --objective ips\.$/,
    ],
    [
      { objective: 'clipped-ips:much' },
      '--objective does not accept "clipped-ips:much".',
      /^Add a number above 0: --objective clipped-ips:100\.$/,
    ],
    [{ objective: 'poem:' }, '--objective does not accept "poem:".', /^Add a number of at least 0/],
    [{ objective: 'ips', loss: 'bpr' }, '--objective and --loss exclude each other.', /leave --loss out/],
  ])('refuses %j', (values, message, remedy) => {
    expect(() => typed(values)).toThrow(
      expect.objectContaining({ message, remedy: expect.stringMatching(remedy) as string }) as Error,
    )
  })
})
