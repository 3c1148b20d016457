import { checkFile } from './check-file.js'
import { compareTargets } from './compare.js'
import { daysOfTarget } from './days.js'
import { planFor, sensitivityFor } from './effort.js'
import { evaluateTarget, evaluationEvidence, nearestTo, weightsOfTarget } from './evaluate.js'
import { lendLog } from './lend-log.js'
import { forgetModel, keepModel, trueValue } from './models.js'
import { openLog } from './open-log.js'
import { previewFile } from './preview-file.js'
import { fitPolicy, forgetPolicy, keepPolicy } from './own-policies.js'
import { propensitiesOf } from './propensities.js'
import { returnModel } from './return-model.js'
import { sampleLog } from './sample-log.js'
import { segmentsOfTarget } from './segments.js'
import { stripsOf } from './strips.js'
import { packSession, unpackSession } from './session-file.js'

/** What the page can ask the worker that holds the log: one function per file. */
export const service = {
  sampleLog,
  preview: previewFile,
  check: checkFile,
  open: openLog,
  propensities: propensitiesOf,
  evaluate: evaluateTarget,
  nearest: nearestTo,
  weights: weightsOfTarget,
  evidence: evaluationEvidence,
  compare: compareTargets,
  segments: segmentsOfTarget,
  days: daysOfTarget,
  strips: stripsOf,
  plan: planFor,
  sensitivity: sensitivityFor,
  lend: lendLog,
  keepModel,
  returnModel,
  forgetModel,
  trueValue,
  keepPolicy,
  fitPolicy,
  forgetPolicy,
  packSession,
  unpackSession,
}
export type Desk = typeof service
