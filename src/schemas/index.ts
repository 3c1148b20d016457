/** Zod schemas of what the commands write as JSON and of a model folder. */
export { comparisonSchema } from './comparison.js'
export { descriptionSchema } from './description.js'
export { diagnosisSchema } from './diagnosis.js'
export { evaluationSchema } from './evaluation.js'
export { modelSchema } from './model.js'
export { planSchema } from './plan.js'
export { recommendationsSchema } from './recommendations.js'
export { trainingSchema } from './training.js'
