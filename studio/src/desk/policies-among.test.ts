import { describe, expect, it } from 'vitest'
import { policiesAmong } from './policies-among.js'

const among = (...paths: string[]): string[] =>
  policiesAmong(paths.map((path) => ({ path, file: new Blob([]) }))).map((files) =>
    files.map(({ path }) => path).join(' '),
  )

describe('policies among files', () => {
  it('are one for each table', () => {
    expect(among('a.csv', 'b.parquet', 'teams/c.json', 'model.zip')).toHaveLength(4)
  })

  it('are one for a matrix with its ids, beside tables', () => {
    expect(among('p.npy', 'users.txt', 'items.txt', 'a.csv')).toEqual(['p.npy users.txt items.txt', 'a.csv'])
    expect(among('als/user_factors.npy', 'als/item_factors.npy', 'b/s.safetensors')).toHaveLength(2)
  })

  it('are one for each folder of a model, with all that lies in it', () => {
    expect(
      among('runs/a/model.json', 'runs/a/checkpoints/1.safetensors', 'runs/b/model.json', 'runs/b/x.html'),
    ).toEqual(['runs/a/model.json runs/a/checkpoints/1.safetensors', 'runs/b/model.json runs/b/x.html'])
    expect(among('model.json', 'embeddings.safetensors', 'training.html', 'b.csv')).toHaveLength(2)
  })
})
