import { describe, expect, it } from 'vitest'
import { bytesInput } from '$core/log/bytes/input.js'
import { previewLog, type Preview } from '$core/read/preview.js'
import { readingOf, suggestedChoice, unfinished } from './choice.js'

const preview = (name: string, text: string): Promise<Preview> =>
  previewLog(bytesInput(name, new TextEncoder().encode(text)))

describe('a choice about a file', () => {
  it('needs nothing where the file is as Hindcast writes it', async () => {
    const seen = await preview('a.csv', 'user_id,item_id,reward,propensity\nu,a,1,0.5\n')
    const choice = suggestedChoice(seen)
    expect(unfinished(choice)).toEqual([])
    expect(readingOf(choice, seen)).toEqual({ format: 'canonical' })
  })

  it('maps columns by other names, and leaves missing propensities to the person', async () => {
    const seen = await preview('a.csv', 'uid,sku,clicked\nu,a,1\nv,b,0\n')
    const choice = suggestedChoice(seen)
    expect(unfinished(choice)).toEqual(['Choose the propensities to use.'])
    choice.propensity = 'constant'
    choice.constant = 0.25
    expect(unfinished(choice)).toEqual([])
    expect(readingOf(choice, seen)).toEqual({
      format: 'canonical',
      columns: { user: 'uid', item: 'sku', reward: 'clicked' },
      propensity: 'constant:0.25',
    })
  })

  it('asks for the columns that no guess fits', async () => {
    const choice = suggestedChoice(await preview('a.csv', 'x,y,z\nq,w,0.1\n'))
    expect(unfinished(choice)).toContain('Choose the column that holds the reward.')
  })

  it('needs no propensities for ratings, and keeps their threshold', async () => {
    const seen = await preview('ratings.dat', '1::10::5::978300760\n2::11::3::978300761\n')
    const choice = suggestedChoice(seen)
    expect(choice).toMatchObject({ format: 'movielens', propensity: 'none', clickFrom: 4 })
    expect(readingOf(choice, seen)).toMatchObject({ format: 'movielens', propensity: 'none' })
    choice.clickFrom = 3
    expect(readingOf(choice, seen)).toMatchObject({ clickFrom: 3 })
  })
})
