import { z } from 'zod'
import { STUDY_ESTIMATORS, STUDY_METHODS } from '../results.js'

/** One of the estimators compared. */
export const estimatorName = z.enum(STUDY_ESTIMATORS)

/** One of the methods compared. */
export const methodName = z.enum(STUDY_METHODS)
