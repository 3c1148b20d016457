import { expect, it } from 'vitest'
import { asFields } from '../../advice.js'
import { HindcastError } from '../../error.js'
import { bytesInput } from '../../log/bytes/input.js'
import { idDifference } from './match-notes.js'
import type { PolicyFile } from './policy-file.js'
import { readPolicyFile } from './read-policy-file.js'

const read = (content: unknown, kind: PolicyFile['kind'], name = 'policy.json'): Promise<PolicyFile> =>
  readPolicyFile(
    bytesInput(
      name,
      new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
    ),
    { kind },
  )

/** What a file says of each user, by ids. */
const told = (file: PolicyFile): unknown =>
  Object.fromEntries(
    (file.userIds ?? ['all']).map((user, row) => {
      const items = file.items(row) ?? file.itemIds.keys()
      const values = [...file.values(row)]
      return [user, Object.fromEntries([...items].map((item, k) => [file.itemIds[item], values[k]]))]
    }),
  )

it('reads an object of users, each with the values of items, and one for all users', async () => {
  const policy = { ana: { tea: 0.7, milk: 0.3 }, ben: { milk: 1 } }
  expect(told(await read(policy, 'probability'))).toEqual(policy)
  expect(told(await read({ tea: 0.7, milk: 0.3 }, 'probability'))).toEqual({ all: { tea: 0.7, milk: 0.3 } })
})

it('reads lists and ranks as scores, the best first', async () => {
  const lists = { ana: ['tea', 'milk'], ben: ['milk', 7] }
  expect(told(await read(lists, 'score'))).toEqual({ ana: { tea: -1, milk: -2 }, ben: { milk: -1, 7: -2 } })
  const ranks = 'user_id,item_id,rank\nana,tea,1\nana,milk,2\n'
  expect(told(await read(ranks, 'score', 'ranks.csv'))).toEqual({ ana: { tea: -1, milk: -2 } })
})

it('asks how often each rank is shown where probabilities are wanted', async () => {
  for (const [name, content] of [
    ['policy.json', { ana: ['tea', 'milk'] }],
    ['ranks.csv', 'user_id,item_id,rank\nana,tea,1\n'],
  ] as const) {
    const error = await read(content, 'probability', name).catch((thrown: unknown) => thrown)
    expect((error as HindcastError).worded(asFields).remedy).toContain(`scores:${name}@top=3`)
  }
})

it('leaves a single line of NDJSON to the reader of tables', async () => {
  const line = { user_id: 1, item_id: 2, probability: 1 }
  expect(told(await read(line, 'probability'))).toEqual({ 1: { 2: 1 } })
})

it('refuses a value that is no probability, and names it', async () => {
  await expect(read({ ana: { tea: 3 } }, 'probability')).rejects.toThrow('user ana, item tea is 3')
})

it('says how ids are written otherwise', () => {
  expect(idDifference(['1.0', '2.0', '3.0'], ['1', '2'])).toContain('.astype("Int64")')
  expect(idDifference(['00001', '00002'], ['1', '2'])).toContain('begin with zeros')
  expect(idDifference(['1', '2'], ['00001', '00002'])).toContain('Those of the log begin with zeros')
  expect(idDifference(['AB', 'CD'], ['ab'])).toContain('capital')
  expect(idDifference(['{ab}'], ['ab'])).toContain('braces')
  expect(idDifference(['x'], ['ab'])).toBeUndefined()
})
