import { commandLine, commandWords } from '$core/commands/command-line.js'
import { given } from '$core/given.js'
import { evaluateCommandOf } from '$core/commands/evaluate-command.js'
import { type SimulateChoices, simulateCommandOf } from '$core/commands/simulate-command.js'
import { REPLICATE } from '$study/experiments/held-out.js'
import { TOY_DEFAULTS } from '$core/world/toy.js'
import type { BiasSetting } from '../../desk/bias.js'
import type { BiasTargetName } from '../../desk/bias-world.js'
import { SHOP } from '../../desk/shop-world.js'

/** What is shown: a log, a target policy, and a curve over so many seeds. */
export interface BiasChoices extends BiasSetting {
  readonly target: BiasTargetName
  readonly seeds: number
  /** Exposures per user in the study. */
  readonly usualExposures: number
}

/** The commands that repeat the log at the slider and the curve, one line each, with shell comments. */
export function biasCommand(choices: BiasChoices): string[] {
  if (choices.world.kind === 'log')
    return ['# This world is modelled on your log in the page: no command draws it.']
  return [...logLines(choices), ...studyLines(choices)]
}

function logLines({ target, ...setting }: BiasChoices): string[] {
  const { world, seed, temperature } = setting
  const log = { file: `${world.kind}.csv`, catalogue: `${world.kind}-items.csv` }
  const { file, catalogue } = log
  const simulate = simulateCommandOf({ ...worldAt(setting, file), catalogue, replicate: REPLICATE.test })
  return [
    `# The log at temperature ${temperature}${world.kind === 'toy' ? ': a skew of 5 / temperature' : ''}.`,
    commandLine(simulate),
    ...(target === 'uniform'
      ? [
          commandLine(
            evaluateCommandOf({ log, target: { kind: 'uniform' }, seed, estimators: ['ips', 'snips'] }),
          ),
        ]
      : ['# No command evaluates this target: it needs the world itself, which a log does not contain.']),
  ]
}

/** The world at a temperature, as `simulate` names it. */
function worldAt({ world, seed, exposures, temperature }: BiasSetting, out: string): SimulateChoices {
  switch (world.kind) {
    case 'movielens': {
      const options = { seed, temperature, exposures, noise: world.noise }
      return { out, world: 'movielens', dataset: 'simulated-100k', options }
    }
    case 'shop':
      return { out, world: 'tastes', options: { ...SHOP, seed, temperature, exposures } }
    default:
      return { out, world: 'toy', options: { seed, exposures, skew: TOY_DEFAULTS.skew / temperature } }
  }
}

function studyLines({ world, seed, seeds, exposures, usualExposures }: BiasChoices): string[] {
  if (world.kind === 'shop') return ['# The curve: no command draws it for this world.']
  const noise = world.kind === 'movielens' ? world.noise : 0
  if (exposures !== usualExposures || noise !== 0)
    return [`# The curve: a command draws it only with ${usualExposures} exposures per user and no noise.`]
  const options = given({
    out: 'study',
    seed: seed === 0 ? undefined : String(seed),
    seeds: String(seeds),
  })
  return [
    '# The curve: “bias” in study/results.json.' +
      (world.kind === 'movielens'
        ? ' Where MovieLens itself is available it is used, and values differ.'
        : ''),
    commandLine(commandWords('study', world.kind, options)),
  ]
}
