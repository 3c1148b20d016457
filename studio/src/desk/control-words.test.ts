import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { advice, choose, doctor, set, SETTINGS, worded } from '$core/advice.js'
import { diagnose } from '$core/doctor/diagnose.js'
import { bytesInput } from '$core/log/bytes/input.js'
import { PROPENSITIES } from '$core/propensity/choices.js'
import { readLog } from '$core/read/read-log.js'
import { asControls } from './control-words.js'

const folder = fileURLToPath(new URL('../../../test/logs/doctor', import.meta.url))

/** All that is written in the components of the page. */
const sourcesOf = (root: string): string =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.svelte'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')

describe('advice on the page', () => {
  it.each(readdirSync(folder))('names no option for a finding: %s', async (name) => {
    const input = bytesInput(name, readFileSync(join(folder, name)))
    const read = await readLog(input, { onBadRow: 'keep' })
    const { findings } = await diagnose(read, { words: asControls })
    for (const { remedy } of findings) expect(remedy).not.toMatch(/--|\(\)|…|“”| \.|:FILE|: hindcast/)
  })

  it('points at controls by their labels', () => {
    const rate = advice`Try ${set('learningRate', 0.0001)}, or ${set('regulariser', 'shrink:0.1')}.`
    expect(worded(rate, asControls)).toBe(
      'Try “Learning rate: 0.0001”, or “Propensity regulariser (PR): shrink 0.1”.',
    )
    expect(worded(advice`Name them with ${set('columns', 'user=uid,item=…')}.`, asControls)).toBe(
      'Name them with “Column for user: uid” and “Column for item”.',
    )
    // What else is mapped is chosen already.
    expect(worded(advice`Divide with ${set('columns', 'user=uid,propensity=p / 100')}.`, asControls)).toBe(
      'Divide with “Column for propensity: p / 100”.',
    )
    expect(worded(advice`Use ${set('columns')}, or ask ${doctor}.`, asControls)).toBe(
      'Use “Which column holds what?”, or ask “What the doctor says”.',
    )
  })

  it('names only controls that the page has', () => {
    const page = sourcesOf(fileURLToPath(new URL('..', import.meta.url)))
    for (const setting of SETTINGS)
      for (const [, label] of asControls(set(setting)).matchAll(/“([^”]+)”/g))
        expect(page, setting).toContain(label)
    for (const { typed, needs } of PROPENSITIES.all)
      if (needs !== 'file')
        for (const [, label] of asControls(set('propensity', typed)).matchAll(/“([^”:]+)/g))
          expect(page, typed).toContain(label)
  })

  it('leaves a choice to its control, which has only what the page can do', () => {
    const said = advice`Choose with ${choose('propensity', ['uniform', 'naive-bayes:FILE'])}.`
    expect(worded(said, asControls)).toBe('Choose with “Propensities to use”.')
    expect(worded(advice`Use ${set('propensity', 'naive-bayes:FILE')}.`, asControls)).toBe(
      'Use naive-bayes with hindcast on the command line.',
    )
    expect(worded(advice`Use ${set('propensity', 'constant:P')}.`, asControls)).toBe(
      'Use “Propensities to use: constant” and “Propensity of every row”.',
    )
  })

  it('says the numbers and the columns that it knows', () => {
    expect(asControls(set('rewardRange', '0,100'))).toBe(
      '“Smallest possible reward: 0” and “Largest possible reward: 100”',
    )
    expect(asControls(set('rewardRange', '0,HIGHEST'))).toContain('“Largest possible reward”')
    expect(asControls(set('columns', 'decision=ID'))).toBe('“Id of the impression, here: ID”')
    expect(asControls(set('outcomeColumns', 'decision=NAME'))).toBe('“Id of the impression, at the outcome”')
    expect(asControls(set('outcomeColumns', 'item=NAME'))).toBe('hindcast on the command line')
  })

  it('points to the command line for what the page cannot do', () => {
    expect(worded(advice`Give it with ${set('unbiased', 'FILE')}.`, asControls)).toBe(
      'Give it with hindcast on the command line.',
    )
  })
})
