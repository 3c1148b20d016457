import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Arguments, Command } from '../src/cli/command.js'
import { describe as describeCommand } from '../src/cli/describe.js'
import { commandHelp } from '../src/cli/help.js'
import type { Terminal } from '../src/cli/terminal.js'
import { train as trainCommand } from '../src/cli/train.js'
import { trainChoicesOf } from '../src/cli/train-options.js'
import { bytesInput } from '../src/log/bytes/input.js'
import { canonical } from '../src/log/formats/canonical.js'
import { FORMATS } from '../src/log/formats/index.js'
import { METRICS } from '../src/metrics/metrics.js'
import { BASELINES } from '../src/model/baselines.js'
import { TRAINED_MODELS } from '../src/model/trained-models.js'
import { choosePropensity, missingPropensity, parsePropensityChoice } from '../src/propensity/choice.js'
import { PROPENSITIES } from '../src/propensity/choices/index.js'
import type { StandIn } from '../src/propensity/choices/stand-in.js'
import { uniform } from '../src/propensity/choices/uniform.js'
import { readLog } from '../src/read/read-log.js'
import { previewLog } from '../src/read/preview.js'
import type { Named, Registry } from '../src/registry.js'
import { trainingSchema } from '../src/schemas/training.js'
import { checkSettings } from '../src/train/check-settings.js'
import type { LossName, RegulariserName } from '../src/train/index.js'
import { LOSSES } from '../src/train/losses/index.js'
import { ipsBpr } from '../src/train/losses/pairwise.js'
import { REGULARISERS } from '../src/train/regularisers/index.js'
import { shrink } from '../src/train/regularisers/shrink.js'
import { DEFAULT_SETTINGS } from '../src/train/settings.js'
import { STOPPING_MEASURES } from '../src/train/stopping-measures.js'
import { trainOnLog } from '../src/train/train-on-log.js'
import { tastesWorld } from '../src/world/tastes.js'

const REGISTRIES: readonly Registry<Named>[] = [
  BASELINES,
  FORMATS,
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

  it('is named on its page of the docs', () => {
    for (const { name, docs } of all) {
      const page = new URL(`../docs/${docs}`, import.meta.url)
      expect(existsSync(page), docs).toBe(true)
      const mention = new RegExp('`([^`]*[ :])?' + name + '[`:\\[]|^#+ ' + name + '\\b', 'm')
      expect(mention.test(readFileSync(page, 'utf8')), `${name} in docs/${docs}`).toBe(true)
    }
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
        remedy: expect.stringMatching(/^Did you mean bold-bpr\? .*ubpr, bold-bpr\.$/) as string,
      }) as Error,
    )
  })

  it('trains, to the bits of its like, and is written as any other', async () => {
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
    expect(own!.model.final).toEqual(alike!.model.final)
    expect(trainingSchema.safeParse(own!.training).success).toBe(true)
  })

  it('is unknown again once it is taken out', () => {
    const remove = LOSSES.add(bold)
    remove()
    expect(() => checkSettings({ ...DEFAULT_SETTINGS, loss: name })).toThrow('There is no loss "bold-bpr".')
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
    expect(() => trainChoicesOf(typed({ pr: 'halve' }))).toThrow('--pr halve is not a choice.')
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
