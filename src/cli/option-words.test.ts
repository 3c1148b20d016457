import { describe, expect, it } from 'vitest'
import { advice, doctor, set, SETTINGS, worded } from '../advice.js'
import { COMMANDS } from './commands.js'
import { asOptions, optionOf } from './option-words.js'

describe('advice on the command line', () => {
  it('names options that some command takes', async () => {
    const commands = await Promise.all(COMMANDS.map(({ load }) => load()))
    const taken = new Set(commands.flatMap(({ options }) => Object.keys(options)))
    for (const setting of SETTINGS) expect(taken).toContain(optionOf(setting))
  })

  it('says what to type', () => {
    const said = advice`Try ${set('learningRate', 0.001)} without ${set('resume')}, or ask ${doctor}.`
    expect(worded(said, asOptions)).toBe('Try --lr 0.001 without --resume, or ask `hindcast doctor`.')
  })

  it('says how to give the range of rewards, the clusters and the way to choose λ', () => {
    const said = advice`Give ${set('rewardRange', 'LO,HI')}, ${set('cluster', 'user+day')} or ${set('tuning', 'slope')}.`
    expect(worded(said, asOptions)).toBe('Give --reward-range LO,HI, --cluster user+day or --tuning slope.')
  })

  it('offers to save the skipped rows to a file', () => {
    expect(worded(advice`Go on with ${set('onBadRow', 'skip')}.`, asOptions)).toBe(
      'Go on with --on-bad-row skip, or --on-bad-row quarantine:FILE to save them to a file.',
    )
  })
})
