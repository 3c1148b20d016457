// Pages of their own: pure functions from what was found to the text of one HTML file, in Node and in a browser tab.
export { comparisonCharts, comparisonPage, type ComparisonPage } from './comparison-page.js'
export { planCharts, planPage, type PlanPage } from './plan-page.js'
export { evaluationCharts, evaluationPage, type EvaluationPage } from './evaluation-page.js'
export { logCharts, logPage, type LogPage } from './log-page.js'
export { logSettings } from './log-settings.js'
export { type PageOptions, type Report, reportHtml, type Section } from './report.js'
export { trainingFolder, type TrainingFolder } from './training-page.js'
export { trainingCharts, trainingPage, type TrainingPage } from './training-page.js'
