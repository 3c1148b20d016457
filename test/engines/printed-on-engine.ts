import { rm } from 'node:fs/promises'
import { readLogFile } from '../../src/node/read-log.js'
import { printedVerdicts } from '../printed-statement.js'
import { warehouseWorld } from '../warehouse-log.js'
import { type FileEngine, putTable } from './engine-sums.js'
import { logTable, type TableFile } from './log-files.js'

/** The statements that are printed for an engine, run there. */
export async function printedOnEngine(engine: FileEngine, folder: string): Promise<void> {
  const world = await warehouseWorld()
  try {
    const { log } = await readLogFile(world.file)
    const table = logTable(log)
    const named = (name: string): readonly [string, string] => [
      name,
      table.columns.find((column) => column.name === name)!.kind,
    ]
    await printedVerdicts(world, {
      dialect: engine.dialect.name,
      log: await putTable(engine, folder, 'printed_log', table),
      policy: await putTable(engine, folder, 'printed_policy', policyTable(world.policy)),
      columns: {
        user: named('user_id'),
        item: named('item_id'),
        reward: named('clicked'),
        propensity: named('p'),
        time: named('shown_at'),
      },
      cells: (statement) => engine.cells(statement),
    })
  } finally {
    await rm(world.folder, { recursive: true, force: true })
  }
}

const policyTable = (rows: readonly { item_id: string; probability: number }[]): TableFile => ({
  data: [
    { name: 'item_id', data: rows.map(({ item_id }) => item_id), type: 'STRING' },
    { name: 'probability', data: Float64Array.from(rows, ({ probability }) => probability), type: 'DOUBLE' },
  ],
  columns: [
    { name: 'item_id', type: 'varchar', kind: 'text' },
    { name: 'probability', type: 'double', kind: 'number' },
  ],
})
