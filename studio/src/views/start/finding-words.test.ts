import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { diagnose } from '$core/doctor/diagnose.js'
import { bytesInput } from '$core/log/bytes/input.js'
import { readLog } from '$core/read/read-log.js'
import { findingWords } from './finding-words.js'

const folder = fileURLToPath(new URL('../../../../test/logs/doctor', import.meta.url))

describe('what to do about a finding', () => {
  it.each(readdirSync(folder))('is said without options of the command line: %s', async (name) => {
    const input = bytesInput(name, readFileSync(join(folder, name)))
    const { findings } = await diagnose(await readLog(input, { onBadRow: 'keep' }))
    for (const { remedy } of findings) expect(findingWords(remedy)).not.toMatch(/--|\(\)| \./)
  })

  it('points at the choices of the page', () => {
    expect(findingWords('Choose the column that names the item: --columns item=…')).toBe(
      'Choose the column that names the item above.',
    )
    expect(findingWords('Name the column for each: --columns user=… --columns item=…')).toBe(
      'Name the column for each above.',
    )
    expect(
      findingWords('Choose the column that names the user (--columns user=…), or treat each row alone.'),
    ).toBe('Choose the column that names the user above, or treat each row alone.')
    expect(findingWords('Choose the column: --columns propensity=…; if p is a placeholder, drop it.')).toBe(
      'Choose the column above; if p is a placeholder, drop it.',
    )
  })
})
