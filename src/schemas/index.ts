/** What the commands write as JSON and what a model folder holds, as schemas of zod. */
export { comparisonSchema } from './comparison.js'
export { descriptionSchema } from './description.js'
export { diagnosisSchema } from './diagnosis.js'
export { evaluationSchema } from './evaluation.js'
export { modelSchema } from './model.js'
export { recommendationsSchema } from './recommendations.js'
export { trainingSchema } from './training.js'
