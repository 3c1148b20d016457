import { describe, expect, it, onTestFinished } from 'vitest'
import { ipsBpr, LOSSES, type LossName } from '$core/train/losses/index.js'
import { settingsFor } from '$core/train/settings-for.js'
import { askedSettings } from '../../train/asked-settings.js'
import { methodLabel } from '../../train/run-look.js'
import { checkedSettings, lossGroups, settingsOf, splitOf } from './form-choices.js'
import { FORM_DEFAULTS as untouched } from './form-defaults.js'

const logged = { hasPropensities: true, hasTimes: true }
const bare = { hasPropensities: false, hasTimes: false }

describe('the settings of the form', () => {
  it('are the defaults of the command line as long as nothing is touched', () => {
    expect(settingsOf(untouched, logged)).toEqual(settingsFor(true))
    expect(settingsOf(untouched, logged)).toMatchObject({ loss: 'ips-softmax', learningRate: 0.01 })
    expect(settingsOf(untouched, bare)).toEqual(settingsFor(false))
    expect(askedSettings(settingsOf(untouched, bare))).toEqual({ k: 10, temperature: 1, seed: 0 })
  })

  it('follow model and loss, but for what was typed', () => {
    expect(settingsOf({ ...untouched, model: 'lightgcn' }, bare)).toEqual(
      settingsFor(false, { model: 'lightgcn' }),
    )
    const typed = { ...untouched, loss: 'bpr', dim: '8', epochs: '3' }
    expect(settingsOf(typed, logged)).toEqual(settingsFor(true, { loss: 'bpr', dim: 8, epochs: 3 }))
    expect(askedSettings(settingsOf(typed, logged))).toEqual(settingsOf(typed, logged))
  })

  it('follow the loss with the regulariser, unless one was chosen', () => {
    expect(settingsOf({ ...untouched, loss: 'bpr' }, logged)).toEqual(settingsFor(true, { loss: 'bpr' }))
    expect(settingsOf({ ...untouched, loss: 'ips-bce' }, logged).regulariser).toEqual({
      kind: 'shrink',
      strength: 0.1,
    })
    expect(settingsOf({ ...untouched, regulariser: 'none' }, logged).regulariser.kind).toBe('none')
  })

  it('give a regulariser its usual strength, unless one was typed', () => {
    const chosen = { ...untouched, regulariser: 'clip' }
    expect(settingsOf(chosen, logged).regulariser).toEqual({ kind: 'clip', strength: 10 })
    expect(settingsOf({ ...chosen, strength: '3' }, logged).regulariser.strength).toBe(3)
    expect(settingsOf({ ...untouched, strength: '0' }, logged).regulariser).toEqual({
      kind: 'shrink',
      strength: 0,
    })
  })

  it('keep to what the log can do, whatever a link says', () => {
    const asked = { ...untouched, loss: 'ips-bpr', stopOn: 'snips', split: 'time' }
    expect(settingsOf(asked, logged)).toMatchObject({ loss: 'ips-bpr', stopOn: 'snips' })
    expect(splitOf(asked, logged).by).toBe('time')
    expect(settingsOf(asked, bare)).toEqual(settingsFor(false))
    expect(splitOf(asked, bare).by).toBe('row')
    expect(settingsOf({ ...untouched, model: 'svd', loss: 'hinge', stopOn: 'auc' }, logged)).toEqual(
      settingsFor(true),
    )
  })

  it('are an error that names the setting that makes no sense', () => {
    expect(() => checkedSettings({ ...untouched, dim: '0' }, logged)).toThrow('dim cannot be 0')
    expect(() => checkedSettings({ ...untouched, strength: 'much' }, logged)).toThrow('strength NaN')
    expect(checkedSettings({ ...untouched, model: 'mf' }, logged).layers).toBe(0)
  })
})

describe('a loss that is added', () => {
  const name = 'bold-bpr' as LossName

  it('is in the list, can be chosen, and has its own label', () => {
    onTestFinished(LOSSES.add({ ...ipsBpr, name, label: 'Bold BPR' }))
    expect(lossGroups().map(({ losses }) => losses.some((loss) => loss.name === name))).toEqual([
      false,
      true,
      false,
    ])
    const settings = checkedSettings({ ...untouched, loss: name }, logged)
    expect(settings).toMatchObject({ loss: name, regulariser: { kind: 'shrink' } })
    expect(methodLabel(settings)).toBe('Bold BPR + PR')
    expect(settingsOf({ ...untouched, loss: name }, bare)).toEqual(settingsFor(false))
  })
})
