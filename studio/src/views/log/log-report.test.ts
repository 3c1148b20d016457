import { describe, expect, it } from 'vitest'
import { describeLog, tallyItems, tallyUsers } from '$core/describe/describe.js'
import { blobInput } from '$core/log/bytes/input.js'
import { csvText } from '$core/log/write/text.js'
import { logSettings } from '$core/report/log-settings.js'
import { readLog } from '$core/read/read-log.js'
import { toyWorld } from '$core/world/toy.js'
import { openLog } from '../../desk/open-log.js'
import { logReport } from './log-report.js'

const world = toyWorld({ seed: 7 })
const file = new File([...csvText(world.draw())], 'toy.csv')

describe('the report about a log', () => {
  it('of a world is the one about the same log in a file', async () => {
    const read = await readLog(blobInput(file.name, file), { catalogue: world.itemIds })
    expect(logReport(await openLog({ kind: 'toy', seed: 7 }, {}), 'toy.csv')).toEqual({
      title: 'toy.csv',
      description: describeLog(read.log),
      items: tallyItems(read.log),
      users: tallyUsers(read.log),
      catalogueKnown: true,
      settings: logSettings(read),
    })
  })

  it('of a file says how it was read', async () => {
    const reading = { format: 'canonical', skipBadRows: true }
    const { title, settings } = logReport(await openLog({ kind: 'file', file, reading }, {}), file.name)
    expect(title).toBe('toy.csv')
    expect(settings).toMatchObject({ log: 'toy.csv', format: 'canonical', leftOut: 0 })
    expect(settings['columns']).toMatchObject({ reward: ['reward'], propensity: ['propensity'] })
  })
})
