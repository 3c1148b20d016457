import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { advice, doctor, set, worded } from '$core/advice.js'
import { diagnose } from '$core/doctor/diagnose.js'
import { bytesInput } from '$core/log/bytes/input.js'
import { readLog } from '$core/read/read-log.js'
import { asControls } from './control-words.js'

const folder = fileURLToPath(new URL('../../../test/logs/doctor', import.meta.url))

describe('advice on the page', () => {
  it.each(readdirSync(folder))('names no option for a finding: %s', async (name) => {
    const input = bytesInput(name, readFileSync(join(folder, name)))
    const read = await readLog(input, { onBadRow: 'keep' })
    const { findings } = await diagnose(read, { words: asControls })
    for (const { remedy } of findings) expect(remedy).not.toMatch(/--|\(\)|…|“”| \./)
  })

  it('points at controls by their labels', () => {
    const rate = advice`Try ${set('learningRate', 0.0001)}, or ${set('regulariser', 'shrink:0.1')}.`
    expect(worded(rate, asControls)).toBe(
      'Try “Learning rate: 0.0001”, or “Propensity regulariser (PR): shrink 0.1”.',
    )
    expect(worded(advice`Name them with ${set('columns', 'user=uid,item=…')}.`, asControls)).toBe(
      'Name them with “Column for user: uid” and “Column for item”.',
    )
    expect(worded(advice`Use ${set('columns')}, or ask ${doctor}.`, asControls)).toBe(
      'Use “Which column holds what?”, or ask “What the doctor says”.',
    )
  })

  it('points to the command line for what the page cannot do', () => {
    expect(worded(advice`Give it with ${set('unbiased', 'FILE')}.`, asControls)).toBe(
      'Give it with hindcast on the command line.',
    )
  })
})
