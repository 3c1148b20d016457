import { describe, expect, it } from 'vitest'
import { readLog } from '../../read/read-log.js'
import type { ReadLog, ReadOptions } from '../../read/plan.js'
import { bytesInput } from '../bytes/input.js'
import { FORMATS, formatNamed } from './index.js'

const read = (format: string, text: string, options: ReadOptions = {}): Promise<ReadLog> =>
  readLog(bytesInput('log', new TextEncoder().encode(text)), { format, ...options })

describe('canonical', () => {
  it('reads every column it knows by its name, in any order, and lets others be', async () => {
    const { log, origins } = await read(
      'canonical',
      'weight,cluster,timestamp,position,slate_id,target_prob,propensity,reward,item_id,user_id,note\n' +
        '2,c1,1970-01-01T00:00:01Z,3,s1,0.25,0.5,1,i1,u1,x\n',
    )
    expect(log).toEqual({
      rows: 1,
      user: Uint32Array.of(0),
      userIds: ['u1'],
      item: Uint32Array.of(0),
      itemIds: ['i1'],
      catalogueKnown: false,
      reward: Float64Array.of(1),
      propensity: Float64Array.of(0.5),
      propensitySource: 'logged',
      target: Float64Array.of(0.25),
      slate: Uint32Array.of(0),
      slateIds: ['s1'],
      position: Float64Array.of(3),
      time: Float64Array.of(1000),
      cluster: Uint32Array.of(0),
      clusterIds: ['c1'],
      weight: Float64Array.of(2),
    })
    expect(origins.target).toEqual(['target_prob'])
  })
})

describe('obd', () => {
  const header =
    ',timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,user_feature_2,user_feature_3\n'

  it('joins the four user features into a user, and reads times to the microsecond', async () => {
    const { log } = await read(
      'obd',
      `${header}0,2019-11-24 00:01:03.979311+00:00,2,2,0,0.045525,a,b,c,d\n1,2019-11-24 00:01:45+00:00,9,3,1,0.05,a,b,c,e\n`,
    )
    expect(log.userIds).toEqual(['a|b|c|d', 'a|b|c|e'])
    expect(log.itemIds).toEqual(['2', '9'])
    expect(Array.from(log.reward)).toEqual([0, 1])
    expect(Array.from(log.propensity!)).toEqual([0.045525, 0.05])
    expect(Array.from(log.position!)).toEqual([2, 3])
    expect(log.time![0]).toBe(Date.UTC(2019, 10, 24, 0, 1, 3, 979) + 0.311)
  })

  it('takes the propensity from action_prob where releases call it so', async () => {
    const { origins } = await read(
      'obd',
      `${header.replace('propensity_score', 'action_prob')}0,1,2,2,0,0.5,a,b,c,d\n`,
    )
    expect(origins.propensity).toEqual(['action_prob'])
  })

  it('names the four columns behind a user that is missing one of them', async () => {
    await expect(read('obd', `${header}0,1,2,2,0,0.5,a,,c,d\n`)).rejects.toMatchObject({
      cells: [
        { line: 2, column: 'user_feature_0+user_feature_1+user_feature_2+user_feature_3', reason: 'missing' },
      ],
    })
  })
})

describe('movielens', () => {
  const layouts = {
    '100K, tabs': '196\t242\t3\t881250949\n186\t302\t4\t891717742\n22\t377\t5\t878887116\n',
    '1M, double colons': '196::242::3::881250949\n186::302::4::891717742\n22::377::5::878887116\n',
    'latest, CSV with a header':
      'userId,movieId,rating,timestamp\n196,242,3.5,881250949\n186,302,4.0,891717742\n22,377,5.0,878887116\n',
  }

  it.each(Object.entries(layouts))('reads %s', async (_name, text) => {
    const { log } = await read('movielens', text)
    expect(log.userIds).toEqual(['22', '186', '196'])
    expect(log.itemIds).toEqual(['242', '302', '377'])
    expect(Array.from(log.user)).toEqual([2, 1, 0])
    expect(Array.from(log.reward)).toEqual([0, 1, 1])
    expect(Array.from(log.time!)).toEqual([881250949, 891717742, 878887116])
    expect(log.propensitySource).toBe('none')
    expect(log.propensity).toBeUndefined()
  })

  it.each(Object.entries(layouts))('reads %s without the timestamp', async (_name, text) => {
    const { log } = await read('movielens', text.replaceAll(/(\t|::|,)(timestamp|\d{9})$/gm, ''))
    expect(Array.from(log.reward)).toEqual([0, 1, 1])
    expect(log.time).toBeUndefined()
  })

  it('lets the user say from which rating on it is a click', async () => {
    const { log } = await read('movielens', layouts['100K, tabs'], { clickFrom: 5 })
    expect(Array.from(log.reward)).toEqual([0, 0, 1])
  })

  it('does not take a rating that cannot be read for none at all', async () => {
    const text = '1::3::5\n1::2::five\n'
    await expect(read('movielens', text)).rejects.toMatchObject({
      cells: [{ line: 2, column: 'rating', value: 'five' }],
    })
    const { log } = await read('movielens', text, { onBadRow: 'keep' })
    expect(Array.from(log.reward)).toEqual([1, NaN])
  })
})

describe('kuairand', () => {
  const text = 'user_id,video_id,date,hourmin,time_ms,is_click,is_like\n0,7,20220422,900,1650589200000,1,0\n'

  it('reads clicks and times, and has a propensity only by choice', async () => {
    const { log } = await read('kuairand', text, { propensity: { kind: 'uniform' } })
    expect(log).toMatchObject({ userIds: ['0'], itemIds: ['7'], propensitySource: 'assumed' })
    expect(Array.from(log.time!)).toEqual([1650589200000])
    await expect(read('kuairand', text)).rejects.toMatchObject({ code: 'missing-propensity' })
  })
})

describe('vw-dsjson', () => {
  const event = {
    _label_cost: -1,
    _label_probability: 0.8,
    _label_Action: 2,
    _labelIndex: 1,
    Timestamp: '2021-02-04T16:31:29.2460000Z',
    EventId: 'e1',
    c: { shared: { day: 'Monday' }, _multi: [{ _tag: 'tea' }, { _tag: 'coffee' }] },
  }
  const lines = (...changes: object[]): string =>
    changes.map((change) => `${JSON.stringify({ ...event, ...change })}\n`).join('')

  it('takes minus the cost for the reward, and writes no minus zero', async () => {
    const { log } = await read('vw-dsjson', `${lines({}, { _label_cost: 2.5 }, { _label_cost: 0 })}`)
    expect(Array.from(log.reward)).toEqual([1, -2.5, 0])
    const negativeZero = await read(
      'vw-dsjson',
      lines({ _label_cost: 7 }).replace('"_label_cost":7', '"_label_cost":-0.0'),
    )
    expect(negativeZero.log.reward[0]).toBe(0)
  })

  it('counts actions from 1, whether the index counts from 0 or the action from 1', async () => {
    const { log } = await read(
      'vw-dsjson',
      lines({}, { _labelIndex: undefined }, { _label_Action: undefined }),
    )
    expect(log.itemIds).toEqual(['2'])
    expect(log.rows).toBe(3)
  })

  it('takes the tag for the item, or the context for the user, where asked', async () => {
    const { log } = await read('vw-dsjson', lines({}, { EventId: 'e2' }), {
      columns: { item: 'tag', user: 'context' },
    })
    expect(log.itemIds).toEqual(['coffee'])
    expect(log.userIds).toEqual(['{"shared":{"day":"Monday"}}'])
  })

  it('weighs an event by how many were dropped for it', async () => {
    const { log } = await read('vw-dsjson', lines({ pdrop: 0.9 }, { pdrop: 0 }, {}))
    expect(Array.from(log.weight!)).toEqual([1 / (1 - 0.9), 1, 1])
  })

  it('reads the time, and counts lines where events have no id', async () => {
    const { log } = await read('vw-dsjson', `\n${lines({ EventId: undefined })}`)
    expect(log.userIds).toEqual(['event 2'])
    expect(Array.from(log.time!)).toEqual([Date.UTC(2021, 1, 4, 16, 31, 29, 246)])
  })

  it.each([
    ['a broken line', '{"_label_cost":', /^is not JSON$/],
    ['null', 'null', /^is not a decision/],
    ['a number', '5', /^is not a decision/],
    [
      'a label without a cost',
      lines({ _label_cost: undefined }),
      /it needs _label_cost and _label_probability/,
    ],
    ['no label', lines({ _label_probability: undefined }), /it needs _label_cost and _label_probability/],
    ['no action', lines({ _label_Action: undefined, _labelIndex: undefined }), /^names no action/],
    [
      'two actions',
      lines({ _labelIndex: 2 }),
      /^names two actions: _label_Action 2 counts from 1, _labelIndex 2 from 0$/,
    ],
    [
      'an action 0',
      lines({ _label_Action: 0, _labelIndex: undefined }),
      /^names action 0: expected a whole number/,
    ],
    ['an action in quotes', lines({ _label_Action: undefined, _labelIndex: '1' }), /^names action "1"/],
    ['a drop that keeps nothing', lines({ pdrop: 1 }), /^has pdrop 1: it must be at least 0 and below 1$/],
    ['a drop below 0', lines({ pdrop: -0.1 }), /^has pdrop -0.1/],
    ['an event that was not shown', lines({ _skipLearn: true }), /_skipLearn/],
  ])('refuses %s, and reads the others', async (_name, line, reason) => {
    const text = `${lines({})}${line.trim()}\n${lines({})}`
    await expect(read('vw-dsjson', text)).rejects.toMatchObject({
      rows: 1,
      cells: [{ line: 2, column: undefined, reason: expect.stringMatching(reason) as string }],
    })
    expect(await read('vw-dsjson', text, { onBadRow: 'skip' })).toMatchObject({
      skipped: 1,
      log: { rows: 2 },
    })
  })

  it('names the column of a probability that is none', async () => {
    await expect(read('vw-dsjson', lines({ _label_probability: 0 }))).rejects.toMatchObject({
      cells: [{ line: 1, column: 'probability', value: '0' }],
    })
  })
})

describe('vw-cb', () => {
  it('reads events of one line', async () => {
    const { log } = await read('vw-cb', "1:2:0.4 | a c\n3:0.5:0.2 'tag | b d\n2 4:0:0.5 1 | a c\n")
    expect(log.userIds).toEqual(['event 1', 'event 2', 'event 3'])
    expect(Array.from(log.item, (item) => log.itemIds[item])).toEqual(['1', '3', '4'])
    expect(Array.from(log.reward)).toEqual([-2, -0.5, 0])
    expect(Array.from(log.propensity!)).toEqual([0.4, 0.2, 0.5])
  })

  const several =
    'shared |User user=Tom\n|Action article=politics\n0:-1:0.25 |Action article=sports\n\n' +
    '0:0.0:0.5 | a\n| b\n| c\n\n\n' +
    'shared |User user=Anna\n| a\n| b\n3:-0.5:0.75 | c'

  it('reads events of several lines, the last without a blank line behind it', async () => {
    const { log } = await read('vw-cb', several)
    expect(Array.from(log.item, (item) => log.itemIds[item])).toEqual(['2', '1', '3'])
    expect(Array.from(log.reward)).toEqual([1, 0, 0.5])
    expect(Array.from(log.propensity!)).toEqual([0.25, 0.5, 0.75])
  })

  it('takes features for the item, or the shared context for the user, where asked', async () => {
    const { log } = await read('vw-cb', several.split('\n\n')[0]!, {
      columns: { item: 'features', user: 'context' },
    })
    expect(log.itemIds).toEqual(['Action article=sports'])
    expect(log.userIds).toEqual(['User user=Tom'])
  })

  it('starts a new event at every shared line', async () => {
    const { log } = await read('vw-cb', 'shared | x\n0:0:0.5 | a\nshared | y\n| a\n0:0:0.5 | b\n')
    expect(Array.from(log.item, (item) => log.itemIds[item])).toEqual(['1', '2'])
  })

  it.each([
    ['two labels in an event', '0:0:0.5 | a\n0:1:0.5 | b\n', 'has two labelled actions'],
    ['no label in an event', 'shared | x\n| a\n| b\n', /^has no labelled action/],
    ['two labels on a line', '1:0:0.5 2:1:0.5 | a\n', 'has 2 labels with a cost: expected one'],
    ['half a label', '1:0.5 | a\n', 'has the label "1:0.5": expected action:cost:probability'],
    ['half a label in an event', '| a\n0:1 | b\n', /^has the label "0:1"/],
    ['a label of another action', '| a\n3:1:0.5 | b\n', 'labels its action 2 as 3: expected 0 or 2'],
    ['an action that is not a number', 'x:1:0.5 | b\n', /^labels its action 1 as NaN/],
  ])('refuses %s by the line it starts on', async (_name, lines, reason) => {
    const text = `1:0:0.5 | a\n\n${lines}\n2:0:0.5 | a\n`
    await expect(read('vw-cb', text)).rejects.toMatchObject({
      rows: 1,
      cells: [{ line: 3, column: undefined, reason: expect.stringMatching(reason) as string }],
    })
    expect(await read('vw-cb', text, { onBadRow: 'skip' })).toMatchObject({ skipped: 1, log: { rows: 2 } })
  })

  it('names the column of a cost or a probability that is none', async () => {
    await expect(read('vw-cb', '1::0.5 | a\n1:2:x | a\n')).rejects.toMatchObject({
      cells: [
        { line: 1, column: 'reward' },
        { line: 2, column: 'probability' },
      ],
    })
  })
})

describe('formatNamed', () => {
  it('finds every format by its name', () => {
    for (const format of FORMATS.all) expect(formatNamed(format.name)).toBe(format)
  })

  it('suggests the one that was meant', () => {
    expect(() => formatNamed('movie-lens')).toThrow(
      expect.objectContaining({
        code: 'unknown-name',
        remedy: expect.stringMatching(
          /^Did you mean movielens\? Choose one of canonical, .*; for any other table use columns\.$/,
        ) as string,
      }) as Error,
    )
  })
})

describe('vw-cb, line by line', () => {
  it('ends an event at a line of blanks, and takes what stands behind a bar for features alone', async () => {
    const { log } = await read('vw-cb', 'shared | s:1\n| price:3:9\n0:-1:0.5 | price:4\n  \t\n2:0:0.25 | c\n')
    expect(log.rows).toBe(2)
    expect(Array.from(log.item, (item) => log.itemIds[item])).toEqual(['2', '2'])
    expect(Array.from(log.reward)).toEqual([1, 0])
    expect(Array.from(log.propensity!)).toEqual([0.5, 0.25])
  })
})

describe('eppo', () => {
  const event = {
    timestamp: '2024-03-22T14:26:55.000Z',
    featureFlag: 'shoes',
    bandit: 'shoe-bandit',
    subject: 'ed6f85019080',
    action: 'nike',
    actionProbability: 0.25,
    optimalityGap: 0,
    modelVersion: 'v123',
    subjectNumericAttributes: { age: 30 },
    subjectCategoricalAttributes: { country: 'usa' },
  }

  it('takes the probability of the action for the propensity, by either of its names', async () => {
    const json = await read('eppo', `${JSON.stringify({ ...event, reward: 1 })}\n`, {
      labels: ['subjectCategoricalAttributes.country'],
    })
    expect(json.log).toMatchObject({ userIds: ['ed6f85019080'], itemIds: ['nike'] })
    expect(Array.from(json.log.propensity!)).toEqual([0.25])
    expect(json.log.labels!['subjectCategoricalAttributes.country']!.ids).toEqual(['usa'])
    const csv = await read(
      'eppo',
      'timestamp,key,subject,action,action_probability,reward\n2024-03-22,shoe-bandit,s,nike,0.25,0\n',
    )
    expect(csv.origins.propensity).toEqual(['action_probability'])
  })

  it('says that outcomes must be joined', async () => {
    await expect(read('eppo', `${JSON.stringify(event)}\n`)).rejects.toMatchObject({
      code: 'missing-column',
      remedy: expect.stringMatching(/^Exposures of Eppo say what was shown, not what it earned/) as string,
    })
  })
})

describe('growthbook', () => {
  const header =
    'user_id,timestamp,experiment_id,variation_id,leaf_id,bandit_version,variation_weights,reward\n'

  it('takes the weight of the variation shown for the propensity', async () => {
    const { log, origins } = await read(
      'growthbook',
      `${header}u1,2026-05-29 12:00:00,cta,0,0,1,"[0.38,0.62]",0\nu2,2026-05-29 12:00:01,cta,1,0,1,"[0.38,0.62]",1\n`,
    )
    expect(origins.propensity).toEqual(['variation_weights[variation_id]'])
    expect(Array.from(log.propensity!)).toEqual([0.38, 0.62])
    expect(log.itemIds).toEqual(['0', '1'])
  })

  it('names the row of a variation that has no weight', async () => {
    await expect(
      read(
        'growthbook',
        `${header}u1,2026-05-29,cta,0,0,1,"[0.38,0.62]",0\nu1,2026-05-29,cta,2,0,1,"[0.38,0.62]",0\n`,
      ),
    ).rejects.toMatchObject({
      cells: [{ line: 3, column: 'variation_weights[variation_id]', reason: 'missing' }],
    })
  })
})

describe('statsig', () => {
  const header = 'unit_id,unit_type,exposure_type,name,rule,experiment_group,first_exposure_utc'

  it('reads the group as the item, with weights and rewards that were joined', async () => {
    const { log } = await read(
      'statsig',
      `${header},weight,reward\nu1,user_id,get_experiment,cta,r1,Buy Again,2024-12-24T00:00:00Z,0.7,1\n`,
    )
    expect(log).toMatchObject({ userIds: ['u1'], itemIds: ['Buy Again'] })
    expect(Array.from(log.propensity!)).toEqual([0.7])
  })

  it('asks for propensities where they are not there', async () => {
    const text = `${header},reward\nu1,user_id,get_experiment,cta,r1,Buy Again,2024-12-24T00:00:00Z,1\n`
    await expect(read('statsig', text)).rejects.toMatchObject({ code: 'missing-propensity' })
  })
})

describe('recbole', () => {
  it('reads atomic files by their typed header, and leaves rewards as they are', async () => {
    const { log } = await read(
      'recbole',
      'user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t1193\t5\t978300760\n1\t661\t3\t978302109\n',
    )
    expect(log).toMatchObject({ userIds: ['1'], itemIds: ['661', '1193'], propensitySource: 'none' })
    expect(Array.from(log.reward)).toEqual([5, 3])
    const clicks = await read('recbole', 'user_id:token\titem_id:token\tlabel:float\n1\t7\t1\n')
    expect(Array.from(clicks.log.reward)).toEqual([1])
  })
})

describe('lenskit', () => {
  it.each(['user_id,item_id,rating,timestamp', 'user,item,rating,timestamp'])('reads %s', async (header) => {
    const { log } = await read('lenskit', `${header}\n1,7,4.5,978300760\n1,8,3,978302109\n`)
    expect(Array.from(log.reward)).toEqual([1, 0])
    expect(log.propensitySource).toBe('none')
  })
})

describe('vw-dsjson, with its features', () => {
  const event = {
    _label_cost: -1,
    _label_probability: 0.8,
    _label_Action: 2,
    _labelIndex: 1,
    EventId: 'e1',
    c: {
      User: { id: 'u1', age: 30 },
      _multi: [
        { _tag: 'tea', kind: 'hot' },
        { _tag: 'coffee', kind: 'hot' },
      ],
    },
  }

  it('keeps the features of the context and of the action shown, by their paths', async () => {
    const { log } = await read('vw-dsjson', `${JSON.stringify(event)}\n`, {
      columns: { user: 'context.User.id', item: 'features._tag' },
      labels: ['context.User.age', 'features.kind'],
    })
    expect(log).toMatchObject({ userIds: ['u1'], itemIds: ['coffee'] })
    expect(log.labels).toMatchObject({
      'context.User.age': { ids: ['30'] },
      'features.kind': { ids: ['hot'] },
    })
  })
})
