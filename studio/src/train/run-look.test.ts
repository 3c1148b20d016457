import { describe, expect, it } from 'vitest'
import { settingsFor } from '$core/train/settings-for.js'
import { lookBeside, methodLabel, type RunLook } from './run-look.js'

const looks = (methods: readonly string[]): RunLook[] =>
  methods.reduce<RunLook[]>((all, method) => [...all, lookBeside(method, all)], [])

describe('methodLabel', () => {
  it('names the loss, the regulariser, and the model where it is not the usual one', () => {
    expect(methodLabel(settingsFor(true, { loss: 'ips-bpr' }))).toBe('IPS-BPR + PR')
    expect(methodLabel(settingsFor(false, { loss: 'bpr' }))).toBe('BPR')
    expect(methodLabel(settingsFor(true, { model: 'mf', loss: 'relmf' }))).toBe('MF RelMF')
  })
})

describe('the look of a run', () => {
  it('has the colour that its method has everywhere, whatever else is there', () => {
    const colours = looks(['RelMF', 'IPS-BPR + PR', 'BPR', 'IPS-BPR']).map(({ colour }) => colour)
    expect(colours).toEqual(['dm', 'ips-bpr-pr', 'logged', 'ips-bpr'])
  })

  it('takes the next free colour for any other method, and the same for the same', () => {
    const colours = looks(['BCE', 'UBPR', 'BCE', 'RelMF']).map(({ colour }) => colour)
    expect(colours).toEqual(['dm', 'dr', 'dm', 'ips'])
  })

  it('is never that of another run, as long as there are shapes left', () => {
    const many = looks(Array.from({ length: 24 }, (_, k) => ['BPR', 'BCE', 'UBPR'][k % 3]!))
    const seen = many.map(({ colour, symbol, hollow }) => `${colour} ${symbol} ${hollow}`)
    expect(new Set(seen).size).toBe(many.length)
  })

  it('stays distinct where there are more methods than colours', () => {
    const many = looks(['BCE', 'UBPR', 'RelMF', 'Softmax', 'MF BCE', 'MF UBPR'])
    const seen = many.map(({ colour, symbol, hollow }) => `${colour} ${symbol} ${hollow}`)
    expect(new Set(seen).size).toBe(many.length)
  })
})
