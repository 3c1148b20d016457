import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../estimate/evaluate.js'
import type { Evaluation } from '../../estimate/evaluation.js'
import { withCatalogue } from '../../log/align.js'
import { bytesInput } from '../../log/bytes/input.js'
import type { Log } from '../../log/log.js'
import { parseScoreRule } from '../../policy/score-rule.js'
import { randomStream } from '../../random/stream.js'
import { toyWorld } from '../../world/toy.js'
import { parsePolicyColumns } from './policy-columns.js'
import type { PolicyFile } from './policy-file.js'
import { policyForLog, type PolicyForLogOptions } from './policy-for-log.js'
import { type PolicyFileOptions, readPolicyFile } from './read-policy-file.js'
import { scoredPolicyFile } from './scored-policy.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const fileOf = (
  content: string | Uint8Array,
  options: Partial<PolicyFileOptions> = {},
): Promise<PolicyFile> =>
  readPolicyFile(bytesInput('p.csv', typeof content === 'string' ? bytesOf(content) : content), {
    kind: 'probability',
    ...options,
  })
const log: Log = {
  rows: 4,
  user: Uint32Array.of(0, 0, 1, 1),
  item: Uint32Array.of(0, 1, 1, 2),
  userIds: ['ann', 'bob'],
  itemIds: ['x', 'y', 'z'],
  catalogueKnown: false,
  reward: Float64Array.of(1, 0, 0, 1),
  propensity: Float64Array.of(0.5, 0.5, 0.25, 0.25),
  propensitySource: 'logged',
}
const policyOf = async (content: string | Uint8Array, options: PolicyForLogOptions = {}) =>
  policyForLog(await fileOf(content), log, options)

const whole = 'user_id,item_id,probability\nbob,y,0.5\nann,x,1\nbob,x,0.25\nbob,z,0.25\n'

describe('a table of probabilities', () => {
  it('is the same policy in every format that logs come in, its rows in any order', async () => {
    const rows = whole
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    const same = {
      CSV: whole,
      TSV: whole.replaceAll(',', '\t'),
      NDJSON: rows.map(([u, i, p]) => `{"item_id":"${i}","probability":${p},"user_id":"${u}"}`).join('\n'),
      gzip: gzipSync(whole),
      'other names': whole.replace('user_id,item_id,probability', 'uid,sku,prob'),
      'Windows line ends': whole.replaceAll('\n', '\r\n'),
      'decimal commas': whole.replaceAll(',', ';').replaceAll('.', ','),
      'percent signs': whole.replaceAll(/[\d.]+$/gm, (p) => `${100 * Number(p)} %`),
    }
    for (const [name, content] of Object.entries(same)) {
      const { policy, notes } = await policyOf(content)
      expect(
        [0, 1].map((user) => Array.from(policy.probabilities(user))),
        name,
      ).toEqual([
        [1, 0, 0],
        [0.25, 0.5, 0.25],
      ])
      expect(notes).toEqual([])
    }
  })

  it('is shared by all users where it has none', async () => {
    const { policy } = await policyOf('item_id,probability\ny,0.75\nx,0.25\n')
    expect(Array.from(policy.probabilities(1))).toEqual([0.25, 0.75, 0])
    expect(policy.groupOf!(0)).toBe(policy.groupOf!(1))
  })

  it('finds columns of any name where told', async () => {
    const columns = parsePolicyColumns('user=who,item=what,probability=how much')
    const file = await fileOf('how much,who,what\n1,ann,x\n', { columns })
    expect([file.userIds, file.itemIds]).toEqual([['ann'], ['x']])
    await expect(fileOf(whole, { columns })).rejects.toThrow('p.csv has no column "who" for user.')
    await expect(fileOf('user_id,item_id,logit\nann,x,3\n')).rejects.toMatchObject({
      message: 'p.csv has no column probability.',
      remedy: expect.stringContaining('scores:p.csv'),
    })
  })

  it.each([
    ['−0.1', 'ann,x,-0.1', 'p.csv, line 3: the probability of user ann, item x is -0.1'],
    ['above 1', 'ann,x,1.5', 'p.csv, line 3: the probability of user ann, item x is 1.5'],
    ['NaN', 'ann,x,nan', 'p.csv, line 3: the probability of user ann, item x is nan'],
    ['none', 'ann,x,', 'p.csv, line 3: the probability of user ann, item x is missing'],
    ['no item', 'ann,,0.5', 'p.csv, line 3: item_id is missing.'],
    ['too few fields', 'ann', 'p.csv, line 3: the row has 1 field where 3 are expected.'],
    [
      'a pair that comes twice',
      'bob,y,0.25',
      'p.csv, line 3: item "y" is listed twice for user "bob", first in line 2.',
    ],
  ])('refuses %s, and names the row', async (_name, row, message) => {
    await expect(fileOf(whole.replace('ann,x,1', row))).rejects.toMatchObject({
      code: 'bad-rows',
      message: expect.stringContaining(message),
    })
  })

  it('needs a header line', async () => {
    await expect(fileOf('1,2,0.5\n1,3,0.5\n')).rejects.toThrow('p.csv has no header line')
  })
})

describe('users that no log has', () => {
  it('may be groups of users', async () => {
    const userIds = Array.from({ length: 12 }, (_, k) => `c${k}`)
    const shown = {
      ...log,
      rows: 12,
      user: Uint32Array.from(userIds.keys()),
      item: new Uint32Array(12),
      userIds,
    }
    const file = await fileOf('user_id,item_id,probability\nnew,x,1\nold,x,1\n')
    expect(() => policyForLog(file, { ...shown, reward: new Float64Array(12) })).toThrow(
      expect.objectContaining({ remedy: expect.stringContaining('If these are groups of users') }),
    )
  })
})

describe('sums that are not 1', () => {
  const table = (p: number): string =>
    `user_id,item_id,probability\nann,x,0.5\nann,y,0.5\nbob,x,${p}\nbob,z,0.5\nfar,x,0.1\n`

  it.each([0.50000003, 0.4999, 0.5001])('by rounding are divided by, with a note: %d', async (p) => {
    const { policy, notes } = await policyOf(table(p))
    expect(policy.probabilities(1)[0]).toBeCloseTo(p / (p + 0.5), 15)
    expect(Array.from(policy.probabilities(0))).toEqual([0.5, 0.5, 0])
    expect(notes[0]).toBe(
      `p.csv: the probabilities of 1 user do not sum to exactly 1 (largest gap ${Math.abs(p - 0.5).toPrecision(2)}), and are divided by their sum.`,
    )
  })

  it('by more are an error that names the user and the sum', async () => {
    await expect(policyOf(table(0.25))).rejects.toMatchObject({
      code: 'bad-rows',
      message: 'p.csv, user "bob": the probabilities sum to 0.75, not 1: a gap of 0.25.',
    })
    await expect(policyOf('item_id,probability\nx,0.25\n')).rejects.toThrow(
      'p.csv: the probabilities sum to 0.25, not 1: a gap of 0.75.',
    )
  })

  it('by as much as the decimals of K items explain are rounding too', async () => {
    const header = 'item_id,probability\n'
    // Three items of 2 decimals may be off by 0.015, of which 0.01 is taken for rounding.
    const { policy, notes } = await policyOf(`${header}x,0.33\ny,0.33\nz,0.33\n`)
    expect(policy.probabilities(0)[0]).toBeCloseTo(1 / 3, 15)
    expect(notes).toEqual([
      'p.csv: the probabilities do not sum to exactly 1 (largest gap 0.010), and are divided by their sum.',
    ])
    await expect(policyOf(`${header}x,0.333\ny,0.333\nz,0.3315\n`)).rejects.toMatchObject({
      message: expect.stringMatching(/not 1: a gap of 0\.0025\.$/),
      remedy: expect.stringContaining('Gaps up to 0.00015 are taken for rounding here.'),
    })
    await expect(policyOf(`${header}x,0.5\ny,0.4\n`)).rejects.toThrow('a gap of 0.10.')
    // So they are where percent signs are divided by 100: 7 · 14.29 % is 100.03 %.
    const shares = Array.from({ length: 7 }, (_, k) => `${k},14.29 %\n`).join('')
    expect((await policyOf(`${header}${shares}`)).notes[0]).toContain('largest gap 0.00030')
    const float32 = [0.333, 0.333, 0.333].map(Math.fround)
    const single = await policyOf(`${header}${float32.map((p, k) => `${'xyz'[k]},${p}\n`).join('')}`)
    expect(single.notes[0]).toContain('largest gap 0.0010')
  })

  it('do not matter for users that the log does not have; these are counted', async () => {
    const { notes } = await policyOf(table(0.5))
    expect(notes).toEqual(['p.csv also has 1 user that the log does not have, which is ignored.'])
  })
})

describe('users that the file does not have', () => {
  const table = 'user_id,item_id,probability\nbob,x,1\n'

  it('are an error by default, with their ids', async () => {
    await expect(policyOf(table)).rejects.toMatchObject({
      message: 'p.csv does not have 1 of the log’s 2 users: "ann".',
      remedy: expect.stringContaining("missingUser: 'logging'"),
    })
    await expect(policyOf(table.replace('bob', '2.0'))).rejects.toThrow('Its own users are called "2.0".')
  })

  it('may be shown what the logging policy shows: their weights are 1 and their values those of the log', async () => {
    const { policy, notes } = await policyOf(table, { missingUser: 'logging' })
    expect([0, 1].map((user) => policy.followsLogging!(user))).toEqual([true, false])
    expect(notes[0]).toContain('("ann"): they are shown what the logging policy shows.')
    expect(() => policy.probabilities(0)).toThrow('does not have user "ann"')
  })

  it('may be shown any item', async () => {
    const { policy } = await policyOf(table, { missingUser: 'uniform' })
    expect(Array.from(policy.probabilities(0))).toEqual([1 / 3, 1 / 3, 1 / 3])
  })

  it('do not count where they have no rows', async () => {
    const { policy } = policyForLog(await fileOf(whole), { ...log, userIds: [...log.userIds, 'zoe'] })
    expect(policy.followsLogging).toBeUndefined()
  })
})

describe('in an evaluation', () => {
  const toy = toyWorld({ seed: 3, users: 60, items: 8 }).draw()
  const estimators = ['ips', 'snips', 'dr', 'mrdr']
  /** A table for the users of the toy log, over its items and some more. */
  const tableFor = (users: readonly string[], items: readonly string[]): string => {
    const lines = users.flatMap((user, u) => {
      const random = randomStream(1, 'table', u)
      const weights = items.map(() => random.uniform())
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      return items.map((item, k) => `${user},${item},${weights[k]! / total}`)
    })
    return ['user_id,item_id,probability', ...lines].join('\n')
  }
  const evaluated = async (of: Log, content: string, options?: PolicyForLogOptions): Promise<Evaluation> => {
    const { policy } = policyForLog(await fileOf(content), of, options)
    return (await evaluate(of, { target: { kind: 'policy', policy }, estimators })).evaluation
  }
  const valuesIn = ({ estimates }: Evaluation): (number | null)[] => estimates.map(({ value }) => value)

  it('items beyond the log count as those of a catalogue that were never shown', async () => {
    const table = tableFor(toy.userIds, [...toy.itemIds, 'new 1', 'new 2'])
    const beyond = await evaluated(toy, table)
    const listed = await evaluated(withCatalogue(toy, ['new 1', 'new 2']), table)
    expect(beyond.diagnostics.unsupportedMass).toBeGreaterThan(0.1)
    expect(beyond.diagnostics.unsupportedMass).toBeCloseTo(listed.diagnostics.unsupportedMass!, 12)
    valuesIn(beyond).forEach((value, k) => expect(value).toBeCloseTo(valuesIn(listed)[k]!, 12))
    expect(beyond.verdict.level).not.toBe('trust')
    expect(beyond.verdict.reasons.map(({ code }) => code)).toContain('unsupported')
  })

  it('a policy only of items beyond the log has no answer', async () => {
    const { verdict, diagnostics } = await evaluated(toy, tableFor(toy.userIds, ['new']))
    expect([verdict.level, diagnostics.unsupportedMass]).toEqual(['refuse', 1])
  })

  it('users who are shown what was logged earn what was logged', async () => {
    const strangers = 'user_id,item_id,probability\nnobody,0,1\n'
    const logged = (await evaluate(toy, { target: { kind: 'logging' }, estimators })).evaluation
    const same = await evaluated(toy, strangers, { missingUser: 'logging' })
    expect(valuesIn(same)).toEqual(valuesIn(logged))
    expect(same.diagnostics).toMatchObject({ meanWeight: 1, unsupportedMass: 0 })
  })

  it('users who are shown any item earn what the uniform policy earns', async () => {
    const strangers = 'user_id,item_id,probability\nnobody,0,1\n'
    const uniform = (await evaluate(toy, { target: { kind: 'uniform' }, estimators })).evaluation
    const same = await evaluated(toy, strangers, { missingUser: 'uniform' })
    valuesIn(same).forEach((value, k) => expect(value).toBeCloseTo(valuesIn(uniform)[k]!, 12))
  })
})

describe('scores', () => {
  const scores = 'user_id,item_id,score\nann,x,2\nann,y,0\nbob,x,-1\nbob,new,-inf\nbob,z,3\n'
  const byRule = async (rule: string) =>
    policyForLog(scoredPolicyFile(await fileOf(scores, { kind: 'score' }), parseScoreRule(rule)), log)

  it('become probabilities of the items that have one', async () => {
    const { policy, notes } = await byRule('softmax=2')
    const e = Math.exp(-1)
    expect(policy.probabilities(0)[0]).toBeCloseTo(1 / (1 + e), 12)
    expect(policy.probabilities(0)[2]).toBe(0)
    expect(notes).toEqual([
      'p.csv also has 1 item that the log does not have. What the policy would earn with it is unknown: its probability counts as unsupported.',
      '2 items of the log have no score for some users, and probability 0 there.',
    ])
    expect(Array.from((await byRule('epsilon=0.2')).policy.probabilities(1))).toEqual([0.1, 0, 0.9])
    expect(Array.from((await byRule('top=2')).policy.probabilities(1))).toEqual([0.5, 0, 0.5])
  })

  it('of items beyond the log take their share', async () => {
    const file = await fileOf('item_id,score\nx,1\nnew,1\n', { kind: 'score' })
    const { policy } = policyForLog(scoredPolicyFile(file, parseScoreRule('softmax=1')), log)
    expect([policy.probabilities(0)[0], policy.outside!(0)]).toEqual([0.5, 0.5])
  })

  it('know their rule, and are the same policy by any other', async () => {
    const { policy } = await byRule('softmax=2')
    expect([policy.name, policy.ruled!.temperature]).toEqual(['p.csv@softmax=2', 2])
    for (const other of ['softmax=0.5', 'softmax=Infinity', 'best', 'epsilon=0.3', 'top=2', 'rank']) {
      const warmer = policy.ruled!.by(parseScoreRule(other))
      const asked = (await byRule(other)).policy
      expect(warmer.name).toBe(asked.name)
      for (const user of [0, 1]) {
        expect(warmer.probabilities(user)).toEqual(asked.probabilities(user))
        expect(warmer.outside!(user)).toBe(asked.outside!(user))
        expect(warmer.sorted?.standing(user)).toEqual(asked.sorted?.standing(user))
      }
      expect(warmer.ruled!.by(parseScoreRule('softmax=2')).probabilities(1)).toEqual(policy.probabilities(1))
    }
    expect((await policyOf(whole)).policy.ruled).toBeUndefined()
  })

  it('stand on pages where they stand among all of the file, the items beyond the log too', async () => {
    const file = await fileOf('item_id,score\nx,1\nnew,3\ny,1\n', { kind: 'score' })
    const { sorted } = policyForLog(scoredPolicyFile(file, { kind: 'best' }), log).policy
    expect(sorted!.standing(0)).toEqual({
      better: Uint32Array.of(1, 1, 0),
      tied: Uint32Array.of(2, 2, 0),
      candidates: 3,
    })
  })
})

describe('probabilities given as scores', () => {
  const table = 'user_id,item_id,score\nann,x,0.75\nann,y,0.25\nbob,x,0.333\nbob,y,0.667\n'
  const scored = async (content: string, rule = 'softmax=1'): Promise<PolicyFile> =>
    scoredPolicyFile(await fileOf(content, { kind: 'score' }), parseScoreRule(rule))

  it('are an error for a softmax, with what to write instead', async () => {
    await expect(scored(table)).rejects.toMatchObject({
      code: 'bad-option',
      message:
        'p.csv seems to hold probabilities, not scores: the numbers of every user lie between 0 and 1 and sum to 1. Their softmax would be another policy.',
      remedy: expect.stringContaining('table:p.csv'),
    })
    await expect(scored(table, 'softmax=0.5')).rejects.toThrow('seems to hold probabilities')
    await expect(scored('item_id,score\nx,0.7\ny,0.3\n')).rejects.toThrow('its numbers lie')
  })

  it.each([
    ['one row sums to something else', table.replace('0.333', '0.5'), 'softmax=1'],
    ['one number is above 1', table.replace('0.333', '1.333'), 'softmax=1'],
    ['one number is below 0', table.replace('0.667', '-0.667'), 'softmax=1'],
    ['all are equal, so that the softmax is the same', 'item_id,score\nx,0.5\ny,0.5\n', 'softmax=1'],
    ['the rule goes by order alone', table, 'rank'],
  ])('are none where %s', async (_why, content, rule) => {
    expect((await scored(content, rule)).ruled).toBeDefined()
  })
})
