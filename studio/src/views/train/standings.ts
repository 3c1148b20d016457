import { capitalised, type HeldOutPart, measuredPart, modelLabel } from '$core/words/training-text.js'
import type { Metric } from '$core/metrics/user-mean.js'
import type { PolicyValue, Training } from '$core/train/training.js'
import type { RunLook } from '../../train/run-look.js'

/** A run that has a model. */
export interface FinishedRun {
  readonly label: string
  readonly look: RunLook
  readonly training: Training
  readonly split: { readonly by: 'row' | 'time' }
  /** The true mean reward of its policy per impression, in worlds. */
  readonly truth: number | null
}

/** How well a run, or a baseline, ranks what was held out. */
interface Standing {
  readonly label: string
  /** None for baselines. */
  readonly look?: RunLook
  readonly ndcg: Metric
  /** NDCG with clicks weighted by 1/propensity, as under uniform exposure. */
  readonly fair: Metric | null
  readonly recall: Metric
  /** Of its policy, on the validation rows at the epoch that was kept. */
  readonly snips: PolicyValue | null
  readonly truth: number | null
}

/** Runs measured on the same clicks, with the baselines; best first. */
export interface Standings {
  /** What they share and others do not. */
  readonly about: string
  readonly part: HeldOutPart
  readonly k: number
  readonly users: number
  readonly rows: readonly Standing[]
}

/** The runs in groups that can be compared: another seed, split or k means other clicks or another measure. */
export function standingsOf(runs: readonly FinishedRun[]): Standings[] {
  const groups = new Map<string, FinishedRun[]>()
  for (const run of runs) {
    const { settings, ranked } = run.training
    const part = measuredPart(ranked)
    if (!part) continue
    const key = `NDCG@${settings.k} on the ${part} clicks, ${run.split.by === 'time' ? 'the newest' : `drawn with seed ${settings.seed}`}`
    groups.set(key, [...(groups.get(key) ?? []), run])
  }
  return [...groups].map(([about, group]) => standingsWithin(about, group))
}

function standingsWithin(about: string, runs: readonly FinishedRun[]): Standings {
  const { training } = runs[0]!
  const part = measuredPart(training.ranked)!
  const rows = [...runs.flatMap((run) => standingOf(run, part)), ...baselinesOf(runs, part)]
  return {
    about,
    part,
    k: training.settings.k,
    users: training.ranked[0]![part]!.users,
    rows: rows.toSorted((a, b) => b.ndcg.value - a.ndcg.value),
  }
}

function standingOf({ label, look, training, truth }: FinishedRun, part: HeldOutPart): Standing[] {
  const { ranked, epochs, best } = training
  const metrics = ranked[0]![part]
  if (!metrics) return []
  const { ndcg, recall, ips } = metrics
  const snips = epochs.find(({ epoch }) => epoch === best.epoch)?.snips ?? null
  return [{ label, look, ndcg, recall, fair: ips?.ndcg ?? null, snips, truth }]
}

/** The same for every run of a group, as far as they were computed. */
function baselinesOf(runs: readonly FinishedRun[], part: HeldOutPart): Standing[] {
  const made = runs.find(({ training }) => training.ranked.length > 1)
  return (made?.training.ranked.slice(1) ?? []).flatMap(({ model, [part]: metrics }) =>
    metrics
      ? [
          {
            label: capitalised(modelLabel(model)),
            ndcg: metrics.ndcg,
            recall: metrics.recall,
            fair: metrics.ips?.ndcg ?? null,
            snips: null,
            truth: null,
          },
        ]
      : [],
  )
}
