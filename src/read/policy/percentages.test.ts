import { describe, expect, it } from 'vitest'
import { bytesInput } from '../../log/bytes/input.js'
import type { PolicyFile } from './policy-file.js'
import { npyBytes } from './example-npy.js'
import { readPolicyFile } from './read-policy-file.js'

const read = (text: string | Uint8Array, name = 'p.csv'): Promise<PolicyFile> =>
  readPolicyFile(bytesInput(name, typeof text === 'string' ? new TextEncoder().encode(text) : text), {
    kind: 'probability',
    ids: { items: ['tea', 'milk', 'rum'], users: ['ana', 'ben'] },
  })

describe('percentages', () => {
  it.each([
    ['a long table', 'user_id,item_id,p\nana,tea,70\nana,milk,30\nben,tea,12.5\nben,milk,87.5\n'],
    ['a wide table', 'user_id,tea,milk\nana,70,30\nben,12.5,87.5\n'],
    ['a wide table with signs', 'user_id,tea,milk\nana,70 %,30 %\nben,12.5 %,87.5 %\n'],
    ['a wide table with decimal commas', 'user_id;tea;milk\nana;0,7;0,3\nben;0,125;0,875\n'],
    ['an object', '{"ana": {"tea": 70, "milk": 30}, "ben": {"tea": 12.5, "milk": 87.5}}'],
  ])('are read from %s', async (what, text) => {
    const file = await read(text)
    expect([0, 1].map((row) => Array.from(file.values(row)))).toEqual([
      [0.7, 0.3],
      [0.125, 0.875],
    ])
    const isSaid =
      file.notes?.some((note) => note.includes('sum to 100, and are read as percentages')) ?? false
    expect(isSaid).toBe(!/signs|commas/.test(what))
  })

  it('are read from a matrix, and where each of them is below 1', async () => {
    const matrix = npyBytes([50, 30, 20, 98, 1, 1], [2, 3], { type: '<f8' })
    expect(Array.from((await read(matrix, 'p.npy')).values(1))).toEqual([0.98, 0.01, 0.01])
    const many = Array.from({ length: 200 }, (_, item) => `${item},0.5\n`).join('')
    expect((await read(`item_id,p\n${many}`)).values(0)[0]).toBe(0.005)
  })

  it('are not guessed where a row does not sum to 100, and the error is that about probabilities', async () => {
    const odd = 'user_id,item_id,p\nana,tea,70\nana,milk,30\nben,tea,12.5\nben,milk,80\n'
    await expect(read(odd)).rejects.toThrow('p.csv, line 2: the probability of user ana, item tea is 70')
    await expect(read('item_id,p\ntea,-1\nmilk,101\n')).rejects.toThrow(
      'line 2: the probability of item tea is -1',
    )
  })
})
