// One engine and one number of rows, in a process of its own: makes the table, then takes turns between the plainest query
// and all that a verdict needs. Prints what it measured as JSON.
//   node bench/engines/case.mjs duckdb 1000000 2
import { evaluateSource } from '../../dist/estimate/evaluate-source.js'
import { sumsStatement } from '../../dist/estimate/source/sums-statement.js'
import { sqlSums } from '../../dist/estimate/source/sql-sums.js'
import { openLog } from '../../dist/node/sums/open-log.js'
import { DIALECTS } from '../../dist/sql/dialects/index.js'
import { tableRelation } from '../../dist/sql/table-relation.js'
import { median } from '../median.mjs'
import { cpuOfProcesses } from './cpu-of-processes.mjs'
import { usersOf } from './world.mjs'

const COLUMNS = {
  user: 'user_id',
  item: 'item_id',
  reward: 'reward',
  propensity: 'propensity',
  time: 'shown_at',
}
const [engine, rowsText, runsText] = process.argv.slice(2)
const [rows, runs] = [Number(rowsText), Number(runsText)]
const { start } = await import(`./${engine}.mjs`)
const server = await start(rows)
const measured = { plain: [], evaluate: [], statement: [] }
let [crossed, verdict, statementRows] = [null, null, null]
try {
  // Files are read into memory by the first.
  await server.plain()
  for (let run = 0; run < runs; run++) {
    measured.plain.push(await spent(server.plain))
    measured.evaluate.push(await spent(evaluate))
    if (server.statement) measured.statement.push(await spent(statement))
  }
} finally {
  await server.stop()
}
const of = (kind, what) => median(measured[kind].map((one) => one[what]))
const ratio = (kind, what) => of(kind, what) / of('plain', what)
console.log(
  JSON.stringify({
    engine,
    rows,
    users: usersOf(rows),
    runs,
    plainSeconds: of('plain', 'seconds'),
    evaluateSeconds: of('evaluate', 'seconds'),
    ratio: ratio('evaluate', 'seconds'),
    // Of the engine and of Node together: other work on the machine changes it far less.
    plainCpu: of('plain', 'cpu'),
    evaluateCpu: of('evaluate', 'cpu'),
    cpuRatio: ratio('evaluate', 'cpu'),
    // DuckDB works in the same process.
    ...(server.pids && { evaluateNodeCpu: of('evaluate', 'nodeCpu') }),
    ...(measured.statement.length > 0 && {
      statementSeconds: of('statement', 'seconds'),
      statementRatio: ratio('statement', 'seconds'),
      statementCpu: of('statement', 'cpu'),
      statementCpuRatio: ratio('statement', 'cpu'),
      statementRows,
    }),
    ...(crossed && { queries: crossed.queries, rowsCrossed: crossed.rows, bytesCrossed: crossed.bytes }),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    verdict: verdict.level,
  }),
)
process.exit(0)

/** What some work takes: seconds, and seconds of CPU. */
async function spent(work) {
  const [begun, cpuBefore, nodeBefore] = [performance.now(), cpuSeconds(), nodeSeconds()]
  await work()
  return {
    seconds: (performance.now() - begun) / 1000,
    cpu: cpuSeconds() - cpuBefore,
    nodeCpu: nodeSeconds() - nodeBefore,
  }
}

function nodeSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Of this process, and of those of the server. */
function cpuSeconds() {
  return nodeSeconds() + (server.pids ? cpuOfProcesses(server.pids) : 0)
}

/** The whole evaluation, every gate looked at. */
async function evaluate() {
  const { log } = server
  const reading = { target: { kind: 'uniform' }, columns: COLUMNS }
  const open = await openLog(log, reading)
  try {
    const opened = await open.tableFor(reading)
    const { evaluation } = await evaluateSource(sqlSums(opened.engine, opened.table), {
      estimators: ['ips', 'snips'],
    })
    verdict = evaluation.verdict
    if (opened.engine.crossed) crossed = { ...opened.engine.crossed }
  } finally {
    await open.dispose()
  }
}

/** The one statement of `hindcast sql`. */
async function statement() {
  const dialect = DIALECTS.find(({ name }) => name === server.dialect)
  const columns = Object.values(COLUMNS).map((name) => ({
    name,
    type: 'number',
    kind: name.endsWith('_id') ? 'integer' : 'number',
  }))
  const origins = Object.fromEntries(Object.entries(COLUMNS).map(([column, name]) => [column, [name]]))
  const relation = tableRelation(dialect, { from: server.table, columns }, origins)
  const { sql } = sumsStatement({ dialect, relation, table: 'impressions', target: { kind: 'uniform' } })
  statementRows = await server.statement(sql)
}
