import type { Log } from '../log/log.js'
import { COMPARE_DEFAULTS } from './defaults.js'
import { evaluate, type EvaluateOptions } from './evaluate.js'
import type { EstimatorRequest } from './evaluate-source.js'
import type { Evaluation, Segments } from './evaluation.js'
import { judgeSegments, type SegmentedLog } from './segments/judge-segments.js'
import { dividesPages, labelledRows, memorySegments } from './segments/memory-segments.js'
import { clustersWithin, parseSegmentBy, segmentByName } from './segments/choose-segments.js'
import { weighsPages } from './slate/settled-pages.js'

/** How to divide a log. */
export interface DivideOptions {
  /** `position`, `day`, `week`, `category` of the item, or a column of the file that the log keeps as labels. */
  by: string
  /** Default `snips`. */
  estimator?: EstimatorRequest
  /** How many segments are listed, the largest; the others are gathered in one (default 50). */
  most?: number
  /** The evaluation of the whole log, if it is at hand: a segment gets no better verdict than what is wrong with all rows. */
  whole?: Pick<Evaluation, 'verdict' | 'target'>
}

export interface EvaluateByOptions extends Omit<EvaluateOptions, 'estimators' | 'withCurve'>, DivideOptions {}

/**
 * What a target would have earned in each segment of a log: value, difference from what the logging policy earned there,
 * effective sample and a verdict of its own, with intervals that hold for all segments at once.
 */
export async function evaluateBy(log: Log, options: EvaluateByOptions): Promise<Segments> {
  const { by: text, estimator = COMPARE_DEFAULTS.estimator, most, whole, ...evaluation } = options
  const by = parseSegmentBy(text)
  const labelled = labelledRows(log, by, options.categories)
  const per =
    labelled.isOfItems || (weighsPages(estimator) && dividesPages(log, labelled)) ? 'log' : 'segment'
  const segmented: SegmentedLog = {
    by: segmentByName(by),
    per,
    segments: memorySegments(
      log,
      { ...labelled, per },
      { ...evaluation, ...(most !== undefined && { most }) },
    ),
    whole: whole ?? (await evaluate(log, { ...evaluation, estimators: [estimator] })).evaluation,
  }
  // Totals are those of the whole log.
  const { target: _, totals: __, ...asked } = evaluation
  return judgeSegments(segmented, estimator, clustersWithin(by, asked))
}
