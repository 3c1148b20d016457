import { startTrino } from '../../scripts/trino.mjs'
import { double, impressions, plainest } from './world.mjs'

/** Trino, coordinator and worker as two processes, over Parquet files that it wrote itself. */
export async function start(rows) {
  const server = await startTrino({ heap: '3G', log: () => undefined })
  const ask = asking(server.port)
  // A sequence has at most 10,000 numbers.
  const parts = Math.ceil(rows / 10_000)
  const blocks = Math.ceil(parts / 10_000)
  const sequence = (name, most) => `UNNEST(sequence(1, ${most})) AS ${name}_rows (${name})`
  const made = impressions(rows, {
    from: `SELECT random() AS u, random() AS x FROM ${sequence('a', Math.min(rows, 10_000))} CROSS JOIN ${sequence('b', Math.min(parts, 10_000))} CROSS JOIN ${sequence('c', blocks)}`,
    double: (value) => `CAST(${value} AS DOUBLE)`,
    whole: (value) => `CAST(${value} AS BIGINT)`,
    random: 'random()',
  }).replace('1.7e12', "DOUBLE '1.7e12'")
  await ask('CREATE SCHEMA IF NOT EXISTS hive.bench')
  await ask(`CREATE TABLE hive.bench.impressions WITH (format = 'PARQUET') AS ${made}`)
  return {
    log: { address: `trino://bench@127.0.0.1:${server.port}/hive/bench`, rows: { table: 'impressions' } },
    dialect: 'trino',
    table: 'hive.bench.impressions',
    plain: () => ask(plainest('hive.bench.impressions', double).replaceAll('DOUBLE PRECISION', 'DOUBLE')),
    pids: () => Object.values(server.pids),
    stop: () => server.stop(),
  }
}

/** Runs a statement to its end, by Trino's own protocol. */
const asking = (port) => async (sql) => {
  let answer = await (
    await fetch(`http://127.0.0.1:${port}/v1/statement`, {
      method: 'POST',
      body: sql,
      headers: { 'X-Trino-User': 'bench' },
    })
  ).json()
  const rows = []
  for (;;) {
    if (answer.error) throw new Error(answer.error.message)
    rows.push(...(answer.data ?? []))
    if (!answer.nextUri) return rows
    answer = await (await fetch(answer.nextUri)).json()
  }
}
