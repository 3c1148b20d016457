import type { Description } from '../describe/description.js'
import { summarise } from '../describe/summary.js'
import { tallyItems, tallyUsers } from '../describe/tally.js'
import {
  clickRatePerItem,
  exposurePerItem,
  interactionsPerUser,
  propensityCalibration,
} from '../figures/index.js'
import type { Log } from '../log/log.js'
import { errorText } from '../propensity/estimate-text.js'
import { reportHtml } from '../report/report.js'
import { createDocument } from './dom.js'
import { readVersion } from './version.js'
import { writeAtomically } from './write-atomically.js'

/** What a report about a log is made from. */
export interface LogReport {
  readonly title: string
  readonly log: Log
  readonly description: Description
  readonly settings: Readonly<Record<string, unknown>>
}

/** Writes the page about a log: the summary, the numbers, the three data figures of the paper and, for estimated propensities, their calibration. */
export async function writeLogReport(path: string, report: LogReport, signal?: AbortSignal): Promise<void> {
  const { title, log, description, settings } = report
  const { estimate } = description.propensity
  const document = createDocument()
  const items = tallyItems(log)
  const html = reportHtml({
    title,
    answer: summarise(description),
    facts: factsOf(description),
    charts: [
      clickRatePerItem(items, { document }),
      exposurePerItem(items, { document, catalogueKnown: log.catalogueKnown }),
      interactionsPerUser(tallyUsers(log), { document }),
      ...(estimate ? [propensityCalibration(estimate, { document })] : []),
    ],
    settings,
    generatedBy: `hindcast ${readVersion()}`,
  })
  await writeAtomically(path, [html], signal)
}

function factsOf({ rows, users, items, clickRate, exposure, propensity, uniformTarget }: Description): {
  label: string
  value: string
  note?: string
}[] {
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
  const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`
  return [
    { label: 'Impressions', value: whole(rows) },
    { label: 'Users', value: whole(users) },
    {
      label: 'Items shown',
      value: whole(items),
      ...(exposure.neverShown !== null && {
        note: `${whole(exposure.neverShown)} of ${whole(exposure.catalogue!)} never`,
      }),
    },
    { label: 'Click rate', value: percent(clickRate) },
    { label: 'Gini of exposure', value: exposure.gini.toFixed(2), note: '0 even, 1 all on one item' },
    {
      label: 'Propensities',
      value:
        propensity.min === null
          ? 'none'
          : `${propensity.min.toPrecision(2)}–${propensity.max!.toPrecision(2)}`,
      note: propensity.source,
    },
    ...(propensity.estimate
      ? [
          {
            label: 'Calibration',
            value: `off by ${errorText(propensity.estimate.calibration.error)}`,
            note: `${errorText(propensity.estimate.calibration.errorByChance)} by chance; ${whole(propensity.estimate.rowsAtFloor)} rows at a floor`,
          },
        ]
      : []),
    {
      label: 'Effective sample size',
      value: uniformTarget.ess === null ? 'unknown' : whole(uniformTarget.ess),
      note:
        uniformTarget.essRatio === null
          ? 'needs propensities'
          : `${percent(uniformTarget.essRatio)} of rows, uniform target`,
    },
  ]
}
