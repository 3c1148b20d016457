import { describe, expect, it } from 'vitest'
import { bytesInput } from '$core/log/bytes/input.js'
import { previewLog, type Preview } from '$core/read/preview.js'
import { choiceFrom, namesBehind, readingOf, suggestedChoice, takeMend, unfinished } from './choice.js'
import { outcomesOf, suggestedJoining } from './joining.js'

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

  it('says that there are no times where somebody takes them away', async () => {
    const seen = await preview(
      'a.csv',
      'user_id,item_id,reward,propensity,shown_at\nu,a,1,0.5,2026-03-01\nv,b,0,0.5,2026-03-02\n',
    )
    const choice = suggestedChoice(seen)
    expect(readingOf(choice, seen)).toEqual({ format: 'canonical', columns: { time: 'shown_at' } })
    choice.columns.time = ''
    expect(readingOf(choice, seen)).toEqual({ format: 'canonical', columns: { time: '' } })
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

  it('joins clicks of a second file by the ids that both have', async () => {
    const seen = await preview(
      'shown.csv',
      'impression_id,user_id,item_id,propensity\n1,u,a,0.5\n2,v,b,0.5\n',
    )
    const clicks = 'impression_id,clicked_at\n1,2026-03-01 00:01:17 UTC\n'
    const choice = suggestedChoice(seen)
    expect(unfinished(choice)).toEqual(['Choose the column that holds the reward.'])
    const file = new File([clicks], 'clicks.csv')
    choice.joining = suggestedJoining(seen, { file, preview: await preview('clicks.csv', clicks) })
    choice.joining.wait = '10m'
    expect(unfinished(choice)).toEqual([])
    const outcomeColumns = { decision: 'impression_id', time: 'clicked_at' }
    expect(readingOf(choice, seen).join).toEqual({
      decision: 'impression_id',
      outcomeColumns,
      wait: 600_000,
      several: 'first',
    })
    expect(outcomesOf(choice.joining)).toEqual({ file })
    const odd = await preview('a.csv', 'req,user_id,item_id,propensity\n1,u,a,0.5\n2,v,b,0.5\n')
    const orders = await preview('b.csv', 'req,amount\n1,9.5\n')
    expect(suggestedJoining(odd, { file, preview: orders })).toMatchObject({
      decision: 'req',
      outcome: 'req',
    })
    choice.joining.wait = 'soon'
    expect(unfinished(choice)).toEqual(['Write how long outcomes count, such as 30s, 10m, 2h or 7d.'])
  })
})

describe('what a person agrees to', () => {
  it('is taken: words as clicks, ratings from one on', async () => {
    const seen = await preview('a.csv', 'user,item,event,p\nu,a,clicked,0.5\nv,b,viewed,0.5\n')
    expect(seen.missing[0]).toMatchObject({ column: 'reward', values: ["event = 'clicked'"] })
    const choice = suggestedChoice(seen)
    takeMend(choice, { kind: 'judged', columns: { reward: "event = 'clicked'" } })
    expect(unfinished(choice)).toEqual([])
    expect(readingOf(choice, seen).columns).toMatchObject({ reward: "event = 'clicked'" })

    const stars = await preview('a.csv', 'user,item,stars,p\nu,a,5,0.5\nv,b,2,0.5\n')
    const rated = suggestedChoice(stars)
    expect(unfinished(rated)).toEqual(['Choose what counts as a click: the rewards look like ratings.'])
    takeMend(rated, { kind: 'clicks', from: 4 })
    expect(unfinished(rated)).toEqual([])
    expect(readingOf(rated, stars)).toMatchObject({ clickFrom: 4 })
  })

  it('is not asked of costs: nobody gives a rating below 0', async () => {
    const seen = await preview('a.csv', 'user,item,reward,p\nu,a,-2.5,0.5\nv,b,0,0.5\n')
    expect(unfinished(suggestedChoice(seen))).toEqual([])
  })

  it('is shown columns that propensities may be computed from', async () => {
    const seen = await preview('a.csv', 'user,item,click,logprob\nu,a,1,-2.5\nv,b,0,-1.25\n')
    expect(seen.missing).toMatchObject([{ column: 'propensity', candidates: ['logprob'] }])
  })
})

describe('events of two kinds in one file', () => {
  it('are suggested as the preview recognises them', async () => {
    const shown = Array.from({ length: 6 }, (_, k) => `shown,i${k},u${k},a,0.5,\n`)
    const clicks = ['i1', 'i3', 'i4'].map((id) => `click,,,,,${id}\n`)
    const seen = await preview('events.csv', `event,id,user,item,p,of\n${[...shown, ...clicks].join('')}`)
    const choice = suggestedChoice(seen)
    expect(choice.joining).toMatchObject({
      kinds: 'event:shown=decision,click=outcome',
      decision: 'id',
      outcome: 'of',
    })
    expect(choice.columns).toMatchObject({ user: 'user', item: 'item', reward: '', propensity: 'p' })
    expect(unfinished(choice)).toEqual([])
  })
})

describe('a choice that a link keeps', () => {
  const text = 'uid,sku,stars,p\nu,a,5,50\nv,b,2,25\n'

  it.each([
    { format: 'canonical', columns: { user: 'uid', item: 'sku', reward: 'stars', propensity: 'p / 100' } },
    {
      format: 'canonical',
      columns: { user: 'uid', item: 'sku', reward: 'stars' },
      propensity: 'constant:0.25',
      clickFrom: 4,
      mended: true,
    },
    {
      format: 'canonical',
      columns: { user: 'uid', item: 'sku' },
      propensity: 'popularity',
      join: {
        decision: 'uid',
        outcomeColumns: { decision: 'sku', time: 'p' },
        wait: 600_000,
        several: 'max' as const,
        matchIds: 'loose' as const,
      },
    },
  ])('gives the reading again that it was made from: %j', async (reading) => {
    const seen = await preview('a.csv', text)
    expect(readingOf(choiceFrom({ reading }, seen), seen)).toEqual(reading)
  })

  it('asks for the second file by its name, and for nothing that follows from it', async () => {
    const seen = await preview('a.csv', text)
    const join = { decision: 'uid', outcomeColumns: { decision: 'of' } }
    const columns = { user: 'uid', item: 'sku', propensity: 'p' }
    const choice = choiceFrom({ reading: { columns, join } }, seen, 'clicks.csv')
    expect(unfinished(choice)).toEqual(['Choose the file with the outcomes: clicks.csv.'])
  })

  it('leaves open what the link does not say, whatever it says', async () => {
    const seen = await preview('a.csv', text)
    const choice = choiceFrom({ reading: { propensity: 'magic', columns: { user: 'no such' } } }, seen)
    expect(choice).toMatchObject({ propensity: '', columns: { user: 'no such', item: '' } })
    expect(unfinished(choice)).toContain('Choose the column that holds the item.')
  })

  it('knows the columns of the file behind it, however it is written', async () => {
    const seen = await preview('a.csv', 'user,p,"show prob"\nu,5,7\n')
    expect(namesBehind('p', seen)).toEqual(['p'])
    expect(namesBehind('p / 100', seen)).toEqual(['p'])
    expect(namesBehind('user + p', seen)).toEqual(['user', 'p'])
    expect(namesBehind('p * "show prob"', seen)).toEqual(['p', 'show prob'])
    expect(namesBehind('p / ', seen)).toEqual([])
  })
})
