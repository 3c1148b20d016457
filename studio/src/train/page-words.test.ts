import { describe, expect, it } from 'vitest'
import { pageWords } from './page-words.js'

describe('pageWords', () => {
  it('speaks of the form instead of options', () => {
    expect(
      pageWords(
        'Lower the learning rate (--lr 0.0001 instead of 0.001), or temper the weights with --pr shrink:0.1.',
      ),
    ).toBe(
      'Lower the learning rate (0.0001 instead of 0.001), or temper the weights with the regulariser shrink 0.1.',
    )
    expect(pageWords('which favours models that resemble it. --stop-on snips or unbiased does not.')).toBe(
      'which favours models that resemble it. Stopping on snips or unbiased does not.',
    )
    expect(pageWords('Train on the processor instead (--backend wasm).')).toBe(
      'Train on the processor instead (backend wasm).',
    )
  })

  it('leaves other words alone', () => {
    expect(pageWords('A split of 10 % – no more.')).toBe('A split of 10 % – no more.')
  })
})
