import { counted, formatEstimate } from 'hindcast'
import { mayBeEqual, type SeedMean } from 'hindcast/figures'
import type { MethodCurvesInput } from '../figures/method-curves.js'

type MethodCurvePoint = MethodCurvesInput['methods'][number]['points'][number]

/** Which method leads after the last epoch, by SNIPS and by true value. */
export function curvesFinding({ methods }: MethodCurvesInput): string {
  const last = Math.max(...methods.flatMap(({ points }) => points.map(({ epoch }) => epoch)))
  const after = `After ${counted(last, 'epoch')}`
  const bySnips = leaderOf(methods, ({ snips }) => snips)
  const byTruth = leaderOf(methods, ({ truth }) => truth)
  if (!bySnips || !byTruth) return `${after}, there are no values to compare`
  const isSame = bySnips.label === byTruth.label
  const inTruth = `${isSame ? ' and' : `, ${byTruth.label}`} by true value (${byTruth.value})`
  if (bySnips.isClose && byTruth.isClose)
    return `${after}, the methods do not differ detectably: ${bySnips.label} leads by SNIPS (${bySnips.value})${inTruth}`
  const close = ({ isClose }: Leader): string => (isClose ? ' with overlapping intervals' : '')
  return `${after}, ${bySnips.label} is ahead by SNIPS (${bySnips.value})${close(bySnips)}${inTruth}${close(byTruth)}`
}

interface Leader {
  readonly label: string
  readonly value: string
  readonly isClose: boolean
}

/** Who has the largest value at the last point, and whether the next one may be as good. */
function leaderOf(
  methods: MethodCurvesInput['methods'],
  measure: (point: MethodCurvePoint) => SeedMean,
): Leader | undefined {
  const [best, next] = methods
    .flatMap(({ label, points }) => {
      const end = points.at(-1)
      return end && measure(end).mean !== null ? [{ label, end: measure(end) }] : []
    })
    .toSorted((a, b) => b.end.mean! - a.end.mean!)
  return (
    best && {
      label: best.label,
      value: formatEstimate(best.end.mean!, best.end.interval).value,
      isClose: next !== undefined && mayBeEqual(best.end, next.end),
    }
  )
}
