import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  compare,
  csvText,
  evaluate,
  type Evaluation,
  evaluationAnswer,
  popularityTargets,
  type Target,
  toyWorld,
  uniformPolicy,
} from '../../src/index.js'
import { comparisonSchema, evaluationSchema } from '../../src/schemas/index.js'
import { formatFixed, valueDecimals } from '../../src/words/estimate-text.js'
import {
  answerOf,
  appears,
  ask,
  choose,
  commandOf,
  goTo,
  linkOf,
  named,
  saved,
  textOf,
} from './at-the-page.js'
import { useStudio } from './open-studio.js'
import { runTyped } from './run-typed.js'
import { train } from './trained.js'
import { softmaxAt } from '../../src/policy/score-rule.js'

const studio = useStudio()
const world = toyWorld({ seed: 7 })
const log = world.draw()

const evaluated = async (target: Target, rows = log): Promise<Evaluation> =>
  (await evaluate(rows, { target })).evaluation
const byPopularity = (temperature: number, rows = log): Target => ({
  kind: 'policy',
  policy: popularityTargets(rows).by(softmaxAt(temperature)),
})

const open = (settings = '&evaluate.target=uniform'): Promise<Page> =>
  studio.open(`#evaluate?log.door=toy${settings}`)

/** The answer to what was asked last, once it is whole, without its shape. */
const answered = async (page: Page): Promise<string> => (await answerOf(page)).replace(/[✔▲✘] /, '')
const plain = (evaluation: Evaluation): string => evaluationAnswer(evaluation).replaceAll('*', '')
const resultsOf = async (page: Page): Promise<unknown> =>
  JSON.parse((await saved(page, 'Results (JSON)')).bytes.toString())

describe('evaluating in the studio', () => {
  it('asks which policy, and how items are shown by scores, before it answers', async () => {
    const page = await open('')
    expect(await answerOf(page, 'Choose')).toBe('Choose the policy that is asked about.')
    await named(page, 'combobox', 'Target policy').selectOption('popularity')
    expect(await answerOf(page, 'how items')).toBe(
      'Choose how items are shown by their scores: scores alone are no policy.',
    )
    await named(page, 'combobox', 'How items are shown').selectOption('best')
    expect(await answerOf(page, 'popularity@best')).toContain(
      'The policy popularity@best (always the most clicked item) would have earned',
    )
  })

  it('says what the library says, to the last bit, beside the truth of the world', async () => {
    const page = await open()
    const expected = await evaluated({ kind: 'uniform' })
    expect(await answered(page)).toBe(plain(expected))
    const json = await resultsOf(page)
    expect(evaluationSchema.parse(json)).toEqual(json)
    expect(json).toEqual(JSON.parse(JSON.stringify(expected)))
    const truth = world.value(uniformPolicy(log.itemIds.length))
    await appears(page, `truth ${truth.toFixed(3)}`)
    const [lower, upper] = expected.estimates.find(({ estimator }) => estimator === 'snips')!.interval!
    expect(lower < truth && truth < upper).toBe(true)
  })

  it('refuses at the control what it cannot be asked with, and keeps to what holds', async () => {
    const page = await open()
    const before = await answered(page)
    await page.getByText('Estimators and intervals').click()
    const type = async (name: string, typed: string): Promise<string> => {
      const field = named(page, 'spinbutton', name)
      await field.fill(typed)
      await field.press('Tab')
      return (await page.getByRole('alert').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ')
    }
    expect(await type('Confidence level, %', '49.99')).toContain('Enter a number above 50 and below 100.')
    expect(await type('Confidence level, %', '95')).toBe('')
    expect(await type('Seed', '-3')).toBe(
      '✘ Seed cannot be -3. Enter a whole number from 0 to 9007199254740991.',
    )
    await type('Seed', '1234567890123')
    await type('Smallest possible reward', '5')
    expect(await type('Largest possible reward', '1')).toContain('Rewards cannot range from 5 to 1.')
    expect(await answered(page)).toBe(before)
    expect(await commandOf(page)).toMatch(/hindcast evaluate toy.csv --target uniform --seed 1234567890123 /)
  })

  it('takes what is known of the log, keeps it in the link and repeats it', async () => {
    const page = await open()
    await answered(page)
    await page.getByText('What you know of this log').click()
    await named(page, 'combobox', 'Each user id is one person?').selectOption('no')
    await named(page, 'combobox', 'The log has every decision?').selectOption('yes')
    const field = named(page, 'spinbutton', 'Known rewards')
    await field.fill('123456')
    await field.press('Tab')
    const said = { facts: { people: false, complete: true } } as const
    const options = { target: { kind: 'uniform' }, said, totals: { reward: 123456 } } as const
    const { evaluation } = await evaluate(log, options)
    expect(evaluation.verdict.level).toBe('refuse')
    await expect.poll(() => answered(page)).toBe(plain(evaluation))
    await appears(page, 'Rewards were lost')
    expect(await resultsOf(page)).toEqual(JSON.parse(JSON.stringify(evaluation)))
    expect(await linkOf(page)).toContain('evaluate.facts=complete,people=no')
    expect(await commandOf(page)).toContain('--said complete,people=no --totals reward=123456 ')
  })

  it('follows a slider with its numbers and its verdict', async () => {
    // Shows a few items so often that of the others little is known.
    const biased = {
      ...toyWorld({ seed: 3, users: 300, items: 40, exposures: 10, skew: 10 }).draw(),
      catalogueKnown: false,
    }
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    await choose(page, 'biased.csv', [...csvText(biased)].join(''))
    await page.getByRole('button', { name: 'Open the log', exact: true }).click()
    await ask(page, 'popularity', 'softmax')
    const answers = new Set<string>()
    for (const [place, temperature] of Object.entries({ 50: 1, 85: 5, 100: 10 })) {
      await named(page, 'slider', 'Temperature').fill(place)
      const answer = await answered(page)
      const expected = await evaluated(byPopularity(temperature, biased), biased)
      expect(answer).toBe(plain(expected))
      answers.add(answer.slice(answer.indexOf('earn')))
    }
    expect(answers.size).toBe(3)
    await expect.poll(() => linkOf(page)).toContain('evaluate.rule=softmax=10')
  })

  it('compares two policies on the same rows', async () => {
    const page = await open('&evaluate.target=popularity&evaluate.rule=softmax=1')
    await named(page, 'combobox', 'Compare with').selectOption('uniform')
    await answered(page)
    await appears(page, 'popularity@softmax=1 does not differ detectably from uniform')
    const json = await resultsOf(page)
    expect(comparisonSchema.parse(json)).toEqual(json)
    const expected = await compare(log, {
      targets: [{ target: { kind: 'uniform' } }, { target: byPopularity(1) }],
    })
    expect((json as typeof expected).differences).toEqual(expected.differences)
    const difference =
      world.value(popularityTargets(log).by(softmaxAt(1))) - world.value(uniformPolicy(log.itemIds.length))
    const text = formatFixed(difference, valueDecimals(difference, null))
    await appears(page, `In this world, the true difference is ${text} per impression.`)
  })

  it('is repeated by the commands beside it: the same reports, byte by byte', async () => {
    const page = await open(
      '&evaluate.target=popularity&evaluate.rule=softmax=0.5&evaluate.with=uniform&evaluate.seed=3',
    )
    await answered(page)
    const folder = await mkdtemp(join(studio.folder, 'typed-'))
    const [lines, comparison] = [await commandOf(page), await saved(page, 'Report (HTML)')]
    await named(page, 'combobox', 'Compare with').selectOption('nothing')
    await answered(page)
    const evaluation = await saved(page, 'Report (HTML)')
    await runTyped(lines, folder)
    for (const { name, bytes } of [comparison, evaluation])
      expect(bytes.equals(await readFile(join(folder, name))), name).toBe(true)
  })

  it('asks a model that was trained in the page, on rows that it has not seen', async () => {
    const page = await studio.open('#train?log.door=toy&train.epochs=2&train.dim=8')
    await train(page)
    await goTo(page, 'Evaluate')
    await answerOf(page, 'Choose the policy')
    await ask(page, { label: 'IPS-softmax + PR #1' }, 'best')
    expect(await answered(page)).toContain('IPS-softmax + PR #1@best')
    expect(await textOf(page.getByText(/^Evaluated on/))).toMatch(/Evaluated on \d+ of 5,000 rows/)
  })

  it('asks what stands in for propensities that the log does not have', async () => {
    const page = await studio.open('#evaluate?evaluate.target=uniform')
    await choose(page, 'bare.csv', [...csvText(log)].join('').replaceAll(/,[^,\n]*$/gm, ''))
    await page.getByRole('radio', { name: /^none/ }).check()
    await named(page, 'button', 'Open the log').click()
    expect(await named(page, 'combobox', 'Propensities to use').inputValue()).toBe('')
    await named(page, 'combobox', 'Propensities to use').selectOption('uniform')
    await named(page, 'button', 'Reread the log with these').click()
    expect(await answered(page)).toContain('A uniform policy would have earned')
  })
})
