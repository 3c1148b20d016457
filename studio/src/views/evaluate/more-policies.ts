/** A further policy that is compared, by its name, and its rule as it is typed where it has one. */
export interface MorePolicy {
  readonly name: string
  readonly rule: string
}

/** A link that lists more is not one of ours. */
const MOST = 20

/** Reads `uniform,popularity@best,own:1a2b`, as links keep the further policies. */
export const moreIn = (text: string): readonly MorePolicy[] =>
  text
    .split(',')
    .slice(0, MOST)
    .flatMap((one) => {
      const [name = '', rule = ''] = one.split('@', 2)
      return name === '' ? [] : [{ name, rule }]
    })

/** Writes what `moreIn` reads. */
export const moreText = (more: readonly MorePolicy[]): string =>
  more.map(({ name, rule }) => (rule === '' ? name : `${name}@${rule}`)).join()

/** What is asked about: the target, the baseline and further policies. */
export interface Compared {
  readonly target: MorePolicy
  readonly baseline: MorePolicy
  readonly more: readonly MorePolicy[]
}

/** The same policies with another baseline: it and the one before change places. `place` counts baseline, target and the others. */
export function withBaseline(compared: Compared, place: number): Compared {
  const { target, baseline, more } = compared
  if (place === 0) return compared
  if (place === 1) return { target: baseline, baseline: target, more }
  const chosen = more[place - 2]!
  return { target, baseline: chosen, more: more.map((one) => (one === chosen ? baseline : one)) }
}
