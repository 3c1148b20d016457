import { it } from 'vitest'
import { postgresServer } from './postgres-server.js'
import { writeFileSync, existsSync } from 'node:fs'
import { readLogFile } from '../src/node/read-log.js'
it('stays up', async () => {
  const server = await postgresServer()
  if (typeof server === 'string') throw new Error(server)
  const { log } = await readLogFile('/tmp/tastes.csv')
  const rows = Array.from({ length: log.rows }, (_, k) => [k, log.userIds[log.user[k]!], log.itemIds[log.item[k]!], log.reward[k], log.propensity![k], new Date(Date.UTC(2026,2,1) + k * 60000)])
  await server.admin('CREATE SCHEMA IF NOT EXISTS shop; GRANT USAGE ON SCHEMA shop TO reader')
  await server.table('shop.impressions', { impression_id: 'int8', user_id: 'text', item_id: 'text', clicked: 'float8', p: 'float8', shown_at: 'timestamptz' }, rows)
  const K = new Set(log.item).size
  await server.table('shop.policy', { item_id: 'text', probability: 'float8' }, log.itemIds.map((id, k) => [id, (k + 1) / (log.itemIds.length * (log.itemIds.length + 1) / 2)]))
  await server.table('shop.scores', { user_id: 'text', item_id: 'text', score: 'float4' }, log.userIds.slice(0, 50).flatMap((u, i) => log.itemIds.map((id, k) => [u, id, Math.sin(i + k)])))
  writeFileSync('/tmp/pg.env', `export PGPASSWORD=${server.reader.password}\nPGURL=postgres://reader@127.0.0.1:${server.port}/shop\n`)
  while (!existsSync('/tmp/pg.stop')) await new Promise((r) => setTimeout(r, 500))
}, 3_000_000)
