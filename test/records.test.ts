import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Arguments, Command } from '../src/cli/command.js'
import { describe as describeCommand } from '../src/cli/describe.js'
import { evaluate as evaluateCommand } from '../src/cli/evaluate.js'
import { commandHelp } from '../src/cli/main.js'
import type { Terminal } from '../src/cli/terminal.js'
import { train as trainCommand } from '../src/cli/train.js'
import { trainChoicesOf } from '../src/cli/train-options.js'
import type { Estimator } from '../src/estimate/estimator.js'
import { ESTIMATORS } from '../src/estimate/estimators/index.js'
import { snips } from '../src/estimate/estimators/importance.js'
import { evaluate } from '../src/estimate/evaluate.js'
import { INTERVALS } from '../src/estimate/intervals/index.js'
import { term } from '../src/estimate/term.js'
import { familyColour } from '../src/figures/family-colour.js'
import { bytesInput } from '../src/log/bytes/input.js'
import { canonical } from '../src/log/formats/canonical.js'
import { FORMATS } from '../src/log/formats/index.js'
import { METRICS } from '../src/metrics/metrics.js'
import { BASELINES } from '../src/model/baselines.js'
import type { EmbeddingModel } from '../src/model/embedding-model.js'
import { TRAINED_MODELS } from '../src/model/trained-models.js'
import { choosePropensity, missingPropensity, parsePropensityChoice } from '../src/propensity/choice.js'
import { PROPENSITIES, uniform } from '../src/propensity/choices.js'
import type { StandIn } from '../src/propensity/stand-in.js'
import { readLog } from '../src/read/read-log.js'
import { previewLog } from '../src/read/preview.js'
import type { Named, Registry } from '../src/registry.js'
import { evaluationSchema } from '../src/schemas/evaluation.js'
import { trainingSchema } from '../src/schemas/training.js'
import { checkSettings } from '../src/train/check-settings.js'
import type { LossName, RegulariserName } from '../src/train/index.js'
import { ipsBpr, LOSSES } from '../src/train/losses/index.js'
import { REGULARISERS, shrink } from '../src/train/regularisers.js'
import { DEFAULT_SETTINGS } from '../src/train/settings.js'
import { STOPPING_MEASURES } from '../src/train/stopping-measures.js'
import { trainOnLog } from '../src/train/train-on-log.js'
import { number, times } from '../src/sql/expression.js'
import { estimatorLabel } from '../src/words/estimate-text.js'
import { tastesWorld } from '../src/world/tastes.js'

const REGISTRIES: readonly Registry<Named>[] = [
  BASELINES,
  ESTIMATORS,
  FORMATS,
  INTERVALS,
  LOSSES,
  METRICS,
  PROPENSITIES,
  REGULARISERS,
  STOPPING_MEASURES,
  TRAINED_MODELS,
]

describe.each(REGISTRIES)('every $kind', ({ all }) => {
  it('says what it is', () => {
    for (const { label, family, meaning } of all) {
      expect(label).not.toBe('')
      expect(family).not.toBe('')
      expect(meaning, 'a sentence').toMatch(/^[\p{L}].*\.$/u)
    }
  })

  it('is explained where its link into the docs leads', () => {
    for (const { name, docs } of all) {
      const explained = sectionAt(docs)
      expect(explained, docs).toBeDefined()
      const mention = new RegExp('`([^`]*[ :])?' + name + '[`:\\[]|^#+ ' + name + '\\b', 'm')
      expect(mention.test(explained!), `${name} in docs/${docs}`).toBe(true)
    }
  })
})

/** The part of a page that a link from the folder docs/ leads to: a heading and what is below it, or the whole page. */
function sectionAt(link: string): string | undefined {
  const [file, anchor] = link.split('#', 2) as [string, string | undefined]
  const page = new URL(`../docs/${file}`, import.meta.url)
  if (!existsSync(page)) return undefined
  const text = readFileSync(page, 'utf8')
  return anchor === undefined ? text : text.split(/^(?=#+ )/m).find((section) => anchorOf(section) === anchor)
}

/** The anchor of a section's heading, as GitHub makes it. */
const anchorOf = (section: string): string | undefined =>
  /^#+ (.*)/
    .exec(section)?.[1]
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

describe('a link into the docs', () => {
  it('leads to a section by its heading, and nowhere without page or heading', () => {
    expect(sectionAt('metrics.md#early-stopping')).toMatch(/^## Early stopping/)
    expect(sectionAt('metrics.md#late-stopping')).toBeUndefined()
    expect(sectionAt('measures.md')).toBeUndefined()
  })
})

/** Adds a thing for the length of a test. */
function add<Thing extends Named>(registry: Registry<Thing>, thing: Thing): void {
  onTestFinished(registry.add(thing))
}

const terminal = { style: (_, text) => text } as Terminal
/** The help of a command in one line. */
const helpOf = (command: Command): string => commandHelp(command, terminal).replaceAll(/\s+/g, ' ')
const typed = (values: Arguments['values']): Arguments => ({ positionals: [], values })

describe('a loss that is added', () => {
  const name = 'bold-bpr' as LossName
  const bold = { ...ipsBpr, name, label: 'Bold BPR', meaning: 'Is as bold as IPS-BPR.' }
  const log = tastesWorld({ seed: 5, users: 50, items: 30, exposures: 30 }).draw()

  it('is in the help of the command line, which takes it', () => {
    expect(helpOf(trainCommand)).not.toContain(name)
    add(LOSSES, bold)
    const help = helpOf(trainCommand)
    expect(help).toMatch(/--loss NAME bpr.*; weighted by propensity: .*bold-bpr .*--pr/)
    expect(help).toContain('bold-bpr Is as bold as IPS-BPR.')
    expect(trainChoicesOf(typed({ loss: name })).settings).toEqual({ loss: name })
  })

  it('is what a mistyped name may have meant', () => {
    add(LOSSES, bold)
    expect(() => trainChoicesOf(typed({ loss: 'bold-brp' }))).toThrow(
      expect.objectContaining({
        message: 'There is no loss "bold-brp".',
        remedy: expect.stringMatching(/^Did you mean bold-bpr\? .*ubpr, .*, bold-bpr\.$/) as string,
      }) as Error,
    )
  })

  it('trains to the same bits as the one it copies, and is written like any other', async () => {
    expect(() => checkSettings({ ...DEFAULT_SETTINGS, loss: name })).toThrow('There is no loss')
    add(LOSSES, bold)
    const settings = { epochs: 3, dim: 16, batch: 64 }
    const [own, alike] = await Promise.all(
      [name, ipsBpr.name].map((loss) =>
        trainOnLog(log, { settings: { ...settings, loss }, baselines: false }),
      ),
    )
    expect(own!.training.epochs).toHaveLength(3)
    expect(own!.training.settings).toMatchObject({
      loss: name,
      regulariser: { kind: shrink.name, strength: 0.1 },
    })
    expect((own!.model as EmbeddingModel).final).toEqual((alike!.model as EmbeddingModel).final)
    expect(trainingSchema.safeParse(own!.training).success).toBe(true)
  })

  it('is unknown again once it is removed', () => {
    const remove = LOSSES.add(bold)
    remove()
    expect(() => checkSettings({ ...DEFAULT_SETTINGS, loss: name })).toThrow('There is no loss "bold-bpr".')
  })
})

describe('an estimator that is added', () => {
  const half: Estimator = {
    ...snips,
    name: 'half-snips',
    label: 'Half SNIPS',
    meaning: 'Is half as large as SNIPS.',
    ratios: snips.ratios.map(({ numerator, denominator }) => ({
      numerator: term(times(number(0.5), numerator.expression)),
      denominator,
    })),
  }
  const log = tastesWorld({ seed: 5, users: 50, items: 30, exposures: 30 }).draw()
  const evaluated = (name: string) =>
    evaluate(log, { target: { kind: 'uniform' }, estimators: [name, 'snips'] })

  it('is in the help of the command line', () => {
    expect(helpOf(evaluateCommand)).not.toContain(half.name)
    add(ESTIMATORS, half)
    const help = helpOf(evaluateCommand)
    expect(help).toMatch(/half-snips +Is half as large as SNIPS\./)
  })

  it('is what a mistyped name may have meant', async () => {
    add(ESTIMATORS, half)
    await expect(evaluated('half-snisp')).rejects.toMatchObject({
      message: 'There is no estimator "half-snisp".',
      remedy: expect.stringMatching(/^Did you mean half-snips\? .*cascade-dr, half-snips\.$/) as string,
    })
  })

  it('has its label and the colour of its family in charts', () => {
    expect([estimatorLabel(half.name), familyColour(half.name)]).toEqual(['half-snips', 'ink'])
    add(ESTIMATORS, half)
    expect([estimatorLabel(half.name), familyColour(half.name)]).toEqual([
      'Half SNIPS',
      familyColour('snips'),
    ])
    expect(familyColour(half.label)).toBe(familyColour('snips'))
  })

  it('is computed, with an interval, and written as any other', async () => {
    add(ESTIMATORS, half)
    const { evaluation } = await evaluated(half.name)
    const [own, whole] = evaluation.estimates
    expect(own!.estimator).toBe(half.name)
    expect(own!.value).toBeCloseTo(whole!.value! / 2, 12)
    expect(own!.se).toBeCloseTo(whole!.se! / 2, 12)
    expect(own!.interval![0]).toBeLessThan(own!.value!)
    expect(evaluationSchema.safeParse(evaluation).success).toBe(true)
  })

  it('is unknown again once it is taken out', async () => {
    const remove = ESTIMATORS.add(half)
    remove()
    await expect(evaluated(half.name)).rejects.toThrow('There is no estimator "half-snips".')
  })
})

describe('a regulariser that is added', () => {
  const name = 'halve' as RegulariserName
  const halve = { ...shrink, name, change: (weights: Float64Array) => weights.map((w) => w / 2) }

  it('is typed with its strength', () => {
    add(REGULARISERS, halve)
    expect(helpOf(trainCommand)).toContain('halve:A')
    expect(trainChoicesOf(typed({ pr: 'halve:0.2' })).settings?.regulariser).toEqual({
      kind: name,
      strength: 0.2,
    })
    expect(() => trainChoicesOf(typed({ pr: 'halve' }))).toThrow('--pr does not accept "halve".')
  })
})

describe('a stand-in for propensities that is added', () => {
  const coin = {
    ...uniform,
    name: 'coin' as 'uniform',
    typed: 'coin',
    meaning: 'Assumes that a coin was thrown.',
    parse: () => ({ kind: 'coin' as 'uniform' }),
    assumed: () => 0.5,
  } satisfies StandIn

  it('is in help and in the list of choices, and is assumed', () => {
    add<StandIn>(PROPENSITIES, coin)
    expect(helpOf(describeCommand)).toContain('coin Assumes that a coin was thrown.')
    expect(missingPropensity('log.csv', []).remedy).toContain("propensity: 'coin': Assumes that")
    const log = tastesWorld({ seed: 5, users: 5, items: 5, exposures: 5 }).draw()
    const { propensity, propensitySource } = choosePropensity(log, parsePropensityChoice('coin') as never)
    expect([propensity![0], propensitySource]).toEqual([0.5, 'assumed'])
    expect(() => parsePropensityChoice('coin', 0.1)).toThrow('does not apply to')
  })
})

describe('a format that is added', () => {
  const shop = {
    ...canonical,
    name: 'shop',
    meaning: 'A shop of ours.',
    columns: { user: 'buyer', item: 'sku', reward: 'bought', propensity: 'chance' },
  }
  const input = () =>
    bytesInput(
      'log.csv',
      new TextEncoder().encode('buyer,sku,bought,chance\nann,tea,1,0.5\nbob,nut,0,0.25\n'),
    )

  it('is in help, is guessed from its columns, and is read', async () => {
    add(FORMATS, shop)
    expect(helpOf(describeCommand)).toContain('shop A shop of ours.')
    expect((await previewLog(input())).format.name).toBe('shop')
    expect((await readLog(input(), { format: 'shop' })).log.itemIds).toEqual(['nut', 'tea'])
  })
})
