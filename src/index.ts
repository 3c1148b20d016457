// The core of Hindcast: runs in Node and in a browser tab alike.
export type { Change, Consultation, Setting, SettingWords } from './advice.js'
export { type ErrorCode, HindcastError, throwIfAborted } from './error.js'
export type { Progress, ProgressListener } from './progress.js'
export { pauses } from './model/long-work.js'

export { CompensatedSum } from './sum.js'
export { gini, median } from './quantile.js'
export { studentQuantile } from './student.js'
/** exp and log with the same bits on every engine, so that results can be compared across machines. */
export * as portableMath from './portable-math.js'
export { counted, formatCount, formatPercent, formatShare, formatTick } from './number-text.js'

export { randomStream, type RandomStream } from './random/stream.js'

export { type Log, type PropensitySource, takeRows } from './log/log.js'
export { type Contexts, featuresOf, policyOverContexts } from './log/contexts.js'
export { withFeatures } from './log/contexts.js'
export { type Labels, NO_LABEL } from './log/labels.js'
export { alignLog } from './log/align.js'
export { withCatalogue } from './log/align.js'
export { partsOfLog, splitByRow, splitByTime, splitByUser } from './log/split.js'
export type { PartsOptions, Split, SplitOptions } from './log/split.js'
export type { LogPart } from './log/stamp.js'
export { type LogStamp, type Made, originOn, type PartOf, stampOf } from './log/stamp.js'
export {
  byRankPolicy,
  epsilonGreedyPolicy,
  ruledPolicy,
  softmaxPolicy,
  topKPolicy,
  withOrigin,
} from './policy/ruled-policy.js'
export type { Draws, Origin, Policy, PolicyFamily, PolicyMade, Ruled } from './policy/policy.js'
export { readTotals } from './read/totals.js'
export { FACTS } from './verdict/said.js'
export type { Fact, Said, SaidOfLog, Totals, VerdictOptions } from './verdict/said.js'
export { type BadCell, BadRowsError } from './log/bad-rows.js'
export { blobInput, type ByteInput, bytesInput } from './log/bytes/input.js'
export { FORMATS } from './log/formats/index.js'
export type { Format } from './log/formats/format.js'
export { type ColumnMapping, parseColumnMapping } from './log/layout.js'
export { csvText, ndjsonText } from './log/write/text.js'
export { parquetBytes } from './log/write/parquet.js'
export { readLog } from './read/read-log.js'
export { COMBINATIONS, parseKinds, parseOutcomeMapping, parseWait } from './log/join/join-options.js'
export type { Combination, JoinOptions, Kinds, LogParts, OutcomeMapping } from './log/join/join-options.js'
export type { JoinFacts } from './log/join/join-facts.js'
export type { ReadLog, ReadOptions } from './read/plan.js'
export { type PolicyFileOptions, readPolicyFile } from './read/policy/read-policy-file.js'
export type { PolicyFile } from './read/policy/policy-file.js'
export { parsePolicyColumns } from './read/policy/policy-columns.js'
export { scoredPolicyFile } from './read/policy/scored-policy.js'
export { policyForLog, type PolicyForLog, type PolicyForLogOptions } from './read/policy/policy-for-log.js'
export type { MissingUser } from './read/policy/policy-match.js'
export { type Preview, type PreviewColumn, previewLog, type PreviewOptions } from './read/preview.js'
export type { ColumnContent } from './read/synonyms.js'
export type { ColumnGuess, MissingColumn, Sureness } from './read/guess-columns.js'

export { choosePropensity, parsePropensityChoice } from './propensity/choice.js'
export type { Estimation, EstimationWay, PropensityChoice, StandIn } from './propensity/stand-in.js'
export { PROPENSITIES } from './propensity/choices.js'

export { estimatePropensity } from './propensity/choice.js'
export type { EstimatedChoice, EstimatedLog } from './propensity/choice.js'
export type {
  Calibration,
  CalibrationBin,
  EstimatedPropensity,
  EstimationMethod,
} from './propensity/stand-in.js'
export { type Distribution, distributionOf, policyOf } from './policy/distribution.js'
export { everShown } from './policy/probabilities.js'
export { fixedPolicy } from './policy/probabilities.js'
export { type MixturePart, mixturePolicy } from './policy/probabilities.js'
export { type PlackettLuceOptions, plackettLucePolicy } from './policy/plackett-luce.js'
export { popularityPolicy } from './policy/popularity.js'
export type { ScoreOptions, Scores } from './policy/scores.js'
export type { Slate, SlatePolicy } from './policy/policy.js'
export { parseAskedRule, parseScoreRule, softmaxAt } from './policy/score-rule.js'
export type { AskedRule, MatchedRule, ScoreRule } from './policy/score-rule.js'
export { type TemperatureCurveOptions, temperatureCurves } from './estimate/temperature-curve.js'
export { type MatchedPolicy, matchExploration } from './estimate/match-exploration.js'
export { policyFamily } from './policy/policy-family.js'
export type { SortedPages, Standing } from './policy/sorted-pages.js'
export { tablePolicy } from './policy/probabilities.js'
export { uniformPolicy } from './policy/probabilities.js'

export { type DrawOptions, type Truth, type World, worldOf } from './world/world.js'
export { type ToyOptions, toyWorld } from './world/toy.js'
export { type MovielensOptions, movielensWorld } from './world/movielens.js'

export { simulatedRatings, SIMULATED_RATINGS_NOTE } from './world/simulated-ratings.js'
export type { SimulatedRatingsOptions } from './world/simulated-ratings.js'
export { type RatingsOptions, ratingsWorld, type RatingsWorld } from './world/ratings.js'
export { type TastesOptions, tastesWorld } from './world/tastes.js'
export { topShare } from './describe/describe.js'
export { listed } from './listed.js'
export { describeLog, type DescribeOptions } from './describe/describe.js'
export type { Description } from './describe/describe.js'
export { summarise } from './words/log-text.js'
export { type Tally, tallyItems, tallyUsers } from './describe/describe.js'

export { diagnose, type DiagnoseOptions } from './doctor/diagnose.js'
export { type LeftOut, type MendedLog, mendLog, type Reader } from './doctor/mend.js'
export type { Diagnosis, LocatedFinding } from './doctor/finding.js'

export { compare, compareSources } from './estimate/compare.js'
export type { CompareOptions, CompareSourcesOptions } from './estimate/compare.js'
export type { Choice, Comparison, Difference, Lift } from './estimate/comparison.js'
export {
  plan,
  planFrom,
  type PlannedSources,
  type PlanOptions,
  type PlanSourceOptions,
  type TemperedSource,
} from './estimate/plan/plan.js'
export type {
  CurvePoint,
  Exploration,
  ExplorationPoint,
  Goal,
  LogSize,
  Needed,
  Plan,
  TemperaturePoint,
  Temperatures,
} from './estimate/plan/plan-record.js'
export { planFinding } from './words/plan-text.js'
export { evaluate, type EvaluateOptions, type Evaluator, evaluatorOf } from './estimate/evaluate.js'
export { type LoggersChoice, markedLog, type MarkedLog } from './estimate/loggers/loggers-choice.js'
export { evaluateBy, type EvaluateByOptions } from './estimate/segments/memory-segments.js'
export type { DivideOptions } from './estimate/segments/judge-segments.js'
export {
  type EstimatorRequest,
  type Evaluated,
  evaluateSource,
  type EvaluateSourceOptions,
  type Evidence,
} from './estimate/evaluate-source.js'
export { type EstimatorName, estimatorNamed, ESTIMATORS } from './estimate/estimators/index.js'
export { influenceOf, isTuned, standardErrorOf, termsOf, valueOf } from './estimate/estimator.js'
export type { Estimator, NamedEstimator, TunedEstimator } from './estimate/estimator.js'
export { term, type Term } from './estimate/term.js'
export { type ClusterBy, type Grouping, Moments } from './estimate/source/moments.js'
export {
  type About,
  type Answering,
  type AnswersTo,
  type Facts,
  isLacking,
  type Known,
  type Lacking,
  type LoggerWeighing,
  type MarkedLoggers,
  type Query,
  type RowKind,
  sourceOf,
  type SumSource,
  sumsByWays,
  type SumsQuery,
} from './estimate/source/source.js'
export { type BrokenRows, type Fault, FaultCount, faultOf } from './estimate/source/broken-rows.js'
export { clusterKey } from './estimate/source/clusters.js'
export type { Expression, RowColumn } from './sql/expression.js'
export { BLOCK, vectorise } from './sql/vectorise.js'
export { sqlOf } from './sql/sql-of.js'
export { DIALECTS } from './sql/dialects/index.js'
export type { Dialect } from './sql/dialect.js'
export { idBucket } from './sql/id-bucket.js'
export { memorySums, type MemorySumsOptions } from './estimate/source/memory-sums.js'
export { importanceWeights, type Target } from './estimate/target.js'
export { popularityTargets } from './estimate/popularity-targets.js'
export { summariseWeights, type WeightBin, type WeightSummary } from './estimate/weight-summary.js'
export {
  type Diagnostics,
  type Estimate,
  type Evaluation,
  GAMMAS,
  type LoggerValue,
  type Segment,
  type Segments,
  type Sensitivity,
  type SensitivityPoint,
  type TemperatureCurve,
  type TemperatureCurvePoint,
  type Verdict,
  type VerdictLevel,
} from './estimate/evaluation.js'
export type { Action, Decision } from './verdict/decision.js'
export { groundsOf } from './verdict/verdict.js'
export type { Means, Question, QuestionAnswer, QuestionLevel, Reason } from './verdict/verdict.js'
export { sensitivityOf, type SensitivityOptions } from './estimate/sensitivity/sensitivity.js'
export { comparisonAnswer } from './words/difference-text.js'
export { estimatorLabel, formatEstimate } from './words/estimate-text.js'
export { decisionSentences, evaluationAnswer } from './words/decision-text.js'
export { sensitivityText } from './words/sensitivity-text.js'
export { trainingAnswer } from './words/training-answer.js'
export {
  type FittedReward,
  givenReward,
  itemMean,
  itemPositionMean,
  type RewardModel,
} from './estimate/reward/reward-model.js'
