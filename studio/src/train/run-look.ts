import type { PanelLine } from '$core/figures/line-panels.js'
import type { ColourName } from '$core/figures/theme.js'
import { isSolved, TRAINED_MODELS } from '$core/model/trained-models.js'
import { bpr, ipsBpr, LOSSES } from '$core/train/losses/index.js'
import { SOLVED_BY_DEFAULT } from '$core/train/best-solved.js'
import { REGULARISERS } from '$core/train/regularisers.js'
import { DEFAULT_SETTINGS, type TrainSettings } from '$core/train/settings.js'

/** The models of which the best is kept, where the log has no propensities and none was chosen. */
export const solvedLabels = (): string[] => SOLVED_BY_DEFAULT.map((name) => TRAINED_MODELS.named(name).label)

/**
 * What is trained, in few words: "IPS-BPR + PR", "MF BPR"; PR is the propensity regulariser. "Best of three" for models that
 * are solved, which are tried together here.
 */
export const methodLabel = ({
  model,
  loss,
  regulariser,
}: Pick<TrainSettings, 'model' | 'loss' | 'regulariser'>): string =>
  isSolved(model)
    ? 'Best of three'
    : [
        ...(model === DEFAULT_SETTINGS.model ? [] : [TRAINED_MODELS.named(model).label]),
        LOSSES.named(loss).label,
        ...(REGULARISERS.named(regulariser.kind).family === 'none' ? [] : ['+ PR']),
      ].join(' ')

/** How the curves of a run are distinguished from those of others. */
export interface RunLook extends Required<Pick<PanelLine, 'colour' | 'symbol' | 'hollow'>> {
  /** Runs of one method share their colour. */
  readonly method: string
}

/** The colours of the methods that have one everywhere. */
const OWN: Readonly<Record<string, ColourName>> = {
  [bpr.label]: 'logged',
  [ipsBpr.label]: 'ips-bpr',
  [`${ipsBpr.label} + PR`]: 'ips-bpr-pr',
}
/** The colours of all others, in turn. */
const IN_TURN: readonly ColourName[] = ['dm', 'dr', 'ips', 'ink']
const SYMBOLS = ['circle', 'square', 'triangle', 'diamond'] as const

/** The look of a new run beside existing ones: the colour of its method, in a shape of its own. */
export function lookBeside(method: string, others: readonly RunLook[]): RunLook {
  const alike = others.filter((look) => look.method === method)
  const free = IN_TURN.filter((colour) => !others.some((look) => look.colour === colour))
  const colour = OWN[method] ?? alike[0]?.colour ?? free[0] ?? IN_TURN[others.length % IN_TURN.length]!
  const shapes = SYMBOLS.flatMap((symbol) => [
    { symbol, hollow: false },
    { symbol, hollow: true },
  ])
  const taken = others.filter((look) => look.colour === colour)
  const shape =
    shapes.find(
      ({ symbol, hollow }) => !taken.some((look) => look.symbol === symbol && look.hollow === hollow),
    ) ?? shapes[0]!
  return { method, colour, ...shape }
}
