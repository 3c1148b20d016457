import { advice, set } from '../advice.js'
import type { Check, Finding } from './finding.js'
import { countDistinct } from '../log/row-groups.js'
import { counted } from '../number-text.js'

/** Notes when a log has few rows, a single user or a single item. */
export const checkSize: Check = ({ log }) => {
  const findings: Finding[] = []
  if (log.rows < 100) {
    findings.push({
      code: 'few-rows',
      level: 'note',
      seen: `The log has ${counted(log.rows, 'row')}.`,
      why: 'With fewer than 100 rows, intervals are wide and several checks have too little to go on.',
      remedy: 'Collect more rows, or check that the file was read to its end.',
      numbers: { rows: log.rows },
      rows: [],
    })
  }
  if (countDistinct(log.user, log.userIds.length) === 1) {
    findings.push({
      code: 'one-user',
      level: 'note',
      column: 'user',
      seen: `${log.rows === 1 ? 'The only row belongs' : `All ${counted(log.rows, 'row')} belong`} to one user, ${log.userIds[log.user[0]!]}.`,
      why: 'Intervals rest on differences between users; with one user there are none.',
      remedy: advice`Use ${set('columns', 'user=…')} to choose the column of user ids, or treat each row as its own cluster.`,
      numbers: { users: 1, rows: log.rows },
      rows: [],
    })
  }
  if (countDistinct(log.item, log.itemIds.length) === 1) {
    findings.push({
      code: 'one-item',
      level: 'note',
      column: 'item',
      seen: `${log.rows === 1 ? 'The only row shows' : `All ${counted(log.rows, 'row')} show`} one item, ${log.itemIds[log.item[0]!]}.`,
      why: 'Policies differ in what they show; with a single item there is nothing to compare.',
      remedy: advice`Use ${set('columns', 'item=…')} to choose the column of item ids.`,
      numbers: { items: 1, rows: log.rows },
      rows: [],
    })
  }
  return findings
}
