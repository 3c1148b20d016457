// The core of Hindcast: runs in Node and in a browser tab alike.
export type { Change, Consultation, Setting, SettingWords } from './advice.js'
export { HindcastError, throwIfAborted } from './error.js'
export type { ErrorCode } from './error.js'
export type { Progress, ProgressListener } from './progress.js'
export { pauses } from './model/long-work.js'

export { CompensatedSum } from './sum.js'
export { gini } from './gini.js'
export { studentQuantile } from './student.js'
/** exp and log with the same bits on every engine, so that results can be compared across machines. */
export * as portableMath from './portable-math.js'
export { counted, formatCount, formatPercent, formatShare, formatTick } from './number-text.js'

export { randomStream } from './random/stream.js'
export type { RandomStream } from './random/stream.js'

export { takeRows } from './log/log.js'
export type { Log, PropensitySource } from './log/log.js'
export { featuresOf, policyOverContexts } from './log/contexts.js'
export { withFeatures } from './log/contexts.js'
export { NO_LABEL } from './log/labels.js'
export type { Labels } from './log/labels.js'
export type { Contexts } from './log/contexts.js'
export { alignLog } from './log/align.js'
export { withCatalogue } from './log/align.js'
export { partsOfLog, splitByRow, splitByTime, splitByUser } from './log/split.js'
export type { PartsOptions, Split, SplitOptions } from './log/split.js'
export type { LogPart } from './log/stamp.js'
export { originOn, stampOf } from './log/stamp.js'
export type { LogStamp, Made, PartOf } from './log/stamp.js'
export { withOrigin } from './policy/origin.js'
export type { Origin, PolicyMade } from './policy/origin.js'
export { readTotals } from './read/totals.js'
export { FACTS } from './verdict/said.js'
export type { Fact, Said, SaidOfLog, Totals, VerdictOptions } from './verdict/said.js'
export { BadRowsError } from './log/bad-rows.js'
export type { BadCell } from './log/bad-rows.js'
export { blobInput, bytesInput } from './log/bytes/input.js'
export type { ByteInput } from './log/bytes/input.js'
export { FORMATS } from './log/formats/index.js'
export type { Format } from './log/formats/format.js'
export { parseColumnMapping } from './log/layout.js'
export type { ColumnMapping } from './log/layout.js'
export { csvText, ndjsonText } from './log/write/text.js'
export { parquetBytes } from './log/write/parquet.js'
export { readLog } from './read/read-log.js'
export { COMBINATIONS, parseKinds, parseOutcomeMapping, parseWait } from './log/join/join-options.js'
export type { Combination, JoinOptions, Kinds, LogParts, OutcomeMapping } from './log/join/join-options.js'
export type { JoinFacts } from './log/join/join-facts.js'
export type { ReadLog, ReadOptions } from './read/plan.js'
export { readPolicyFile } from './read/policy/read-policy-file.js'
export type { PolicyFileOptions } from './read/policy/read-policy-file.js'
export type { PolicyFile } from './read/policy/policy-file.js'
export { parsePolicyColumns } from './read/policy/policy-columns.js'
export { scoredPolicyFile } from './read/policy/scored-policy.js'
export { policyForLog } from './read/policy/policy-for-log.js'
export type { PolicyForLog, PolicyForLogOptions } from './read/policy/policy-for-log.js'
export type { MissingUser } from './read/policy/policy-match.js'
export { previewLog } from './read/preview.js'
export type { Preview, PreviewColumn, PreviewOptions } from './read/preview.js'
export type { ColumnContent } from './read/synonyms.js'
export type { ColumnGuess, MissingColumn, Sureness } from './read/guess-columns.js'

export { choosePropensity, parsePropensityChoice } from './propensity/choice.js'
export { PROPENSITIES } from './propensity/choices/index.js'
export type { Estimation, EstimationWay, StandIn } from './propensity/choices/stand-in.js'
export type { PropensityChoice } from './propensity/choice.js'

export { estimatePropensity } from './propensity/estimate-propensity.js'
export type { EstimatedChoice, EstimatedLog } from './propensity/estimate-propensity.js'
export type {
  Calibration,
  CalibrationBin,
  EstimatedPropensity,
  EstimationMethod,
} from './propensity/estimated-propensity.js'
export type { Draws, Policy, PolicyFamily, Ruled } from './policy/policy.js'
export { distributionOf, policyOf } from './policy/distribution.js'
export type { Distribution } from './policy/distribution.js'
export { everShown } from './policy/ever-shown.js'
export { fixedPolicy } from './policy/fixed.js'
export { mixturePolicy } from './policy/mixture.js'
export type { MixturePart } from './policy/mixture.js'
export { plackettLucePolicy } from './policy/plackett-luce.js'
export type { PlackettLuceOptions } from './policy/plackett-luce.js'
export { popularityPolicy } from './policy/popularity.js'
export type { ScoreOptions, Scores } from './policy/scores.js'
export type { Slate, SlatePolicy } from './policy/slate.js'
export { parseAskedRule, parseScoreRule, softmaxAt } from './policy/score-rule.js'
export type { AskedRule, MatchedRule, ScoreRule } from './policy/score-rule.js'
export { temperatureCurves } from './estimate/temperature-curve.js'
export type { TemperatureCurveOptions } from './estimate/temperature-curve.js'
export { matchExploration } from './estimate/match-exploration.js'
export type { MatchedPolicy } from './estimate/match-exploration.js'
export { policyFamily } from './policy/policy-family.js'
export {
  byRankPolicy,
  epsilonGreedyPolicy,
  ruledPolicy,
  softmaxPolicy,
  topKPolicy,
} from './policy/ruled-policy.js'
export type { SortedPages, Standing } from './policy/sorted-pages.js'
export { tablePolicy } from './policy/table.js'
export { uniformPolicy } from './policy/uniform.js'

export type { DrawOptions, World } from './world/world.js'
export { worldOf } from './world/truth.js'
export type { Truth } from './world/truth.js'
export { toyWorld } from './world/toy.js'
export type { ToyOptions } from './world/toy.js'
export { movielensWorld } from './world/movielens.js'
export type { MovielensOptions } from './world/movielens.js'

export { simulatedRatings, SIMULATED_RATINGS_NOTE } from './world/simulated-ratings.js'
export type { SimulatedRatingsOptions } from './world/simulated-ratings.js'
export { ratingsWorld } from './world/ratings.js'
export type { RatingsOptions, RatingsWorld } from './world/ratings.js'
export { tastesWorld } from './world/tastes.js'
export type { TastesOptions } from './world/tastes.js'
export { topShare } from './describe/concentration.js'
export { median } from './quantile.js'
export { listed } from './listed.js'
export { describeLog } from './describe/describe.js'
export type { DescribeOptions } from './describe/describe.js'
export type { Description } from './describe/description.js'
export { summarise } from './words/log-text.js'
export { tallyItems, tallyUsers } from './describe/tally.js'
export type { Tally } from './describe/tally.js'

export { diagnose } from './doctor/diagnose.js'
export { mendLog } from './doctor/mend.js'
export type { LeftOut, MendedLog, Reader } from './doctor/mend.js'
export type { DiagnoseOptions } from './doctor/diagnose.js'
export type { Diagnosis, LocatedFinding } from './doctor/diagnosis.js'

export { compare, compareSources } from './estimate/compare.js'
export type { CompareOptions, CompareSourcesOptions } from './estimate/compare.js'
export type { Choice, Comparison, Difference, Lift } from './estimate/comparison.js'
export { plan } from './estimate/plan/plan.js'
export type { PlanOptions } from './estimate/plan/plan.js'
export { planFrom } from './estimate/plan/plan-source.js'
export type { PlannedSources, PlanSourceOptions } from './estimate/plan/plan-source.js'
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
export type { TemperedSource } from './estimate/plan/temperatures.js'
export { planFinding } from './words/plan-text.js'
export { evaluate, evaluatorOf } from './estimate/evaluate.js'
export type { EvaluateOptions, Evaluator } from './estimate/evaluate.js'
export type { LoggersChoice } from './estimate/loggers/loggers-choice.js'
export { markedLog } from './estimate/loggers/marked-log.js'
export type { MarkedLog } from './estimate/loggers/marked-log.js'
export { evaluateBy } from './estimate/segments.js'
export type { DivideOptions, EvaluateByOptions } from './estimate/segments.js'
export { evaluateSource } from './estimate/evaluate-source.js'
export type {
  EstimatorRequest,
  Evaluated,
  EvaluateSourceOptions,
  Evidence,
} from './estimate/evaluate-source.js'
export { ESTIMATORS, estimatorNamed } from './estimate/estimators/index.js'
export type { EstimatorName } from './estimate/estimators/index.js'
export { influenceOf, isTuned, standardErrorOf, termsOf, valueOf } from './estimate/estimator.js'
export type { Estimator, NamedEstimator, TunedEstimator } from './estimate/estimator.js'
export { term } from './estimate/term.js'
export type { Term } from './estimate/term.js'
export { Moments } from './estimate/source/moments.js'
export type { ClusterBy, Grouping } from './estimate/source/moments.js'
export type {
  Facts,
  Known,
  Lacking,
  LoggerWeighing,
  MarkedLoggers,
  RowKind,
  SumSource,
} from './estimate/source/source.js'
export { FaultCount, faultOf } from './estimate/source/broken-rows.js'
export type { BrokenRows, Fault } from './estimate/source/broken-rows.js'
export { clusterKey } from './estimate/source/clusters.js'
export type { Expression, RowColumn } from './sql/expression.js'
export { BLOCK, vectorise } from './sql/vectorise.js'
export { sqlOf } from './sql/sql-of.js'
export { DIALECTS } from './sql/dialects/index.js'
export type { Dialect } from './sql/dialect.js'
export { idBucket } from './sql/id-bucket.js'
export { MemorySums } from './estimate/source/memory-sums.js'
export { isLacking } from './estimate/source/source.js'
export type { MemorySumsOptions } from './estimate/source/memory-sums.js'
export { importanceWeights } from './estimate/target.js'
export { popularityTargets } from './estimate/popularity-targets.js'
export { summariseWeights } from './estimate/weight-summary.js'
export type { WeightBin, WeightSummary } from './estimate/weight-summary.js'
export type {
  Diagnostics,
  Estimate,
  Evaluation,
  LoggerValue,
  Segment,
  Segments,
  TemperatureCurve,
  TemperatureCurvePoint,
  Verdict,
  VerdictLevel,
} from './estimate/evaluation.js'
export type { Action, Decision } from './verdict/decision.js'
export { groundsOf } from './verdict/verdict.js'
export type { Means, Question, QuestionAnswer, QuestionLevel, Reason } from './verdict/verdict.js'
export { sensitivityOf } from './estimate/sensitivity/sensitivity-of.js'
export type { SensitivityOptions } from './estimate/sensitivity/sensitivity-of.js'
export { GAMMAS } from './estimate/sensitivity/sensitivity.js'
export type { Sensitivity, SensitivityPoint } from './estimate/sensitivity/sensitivity.js'
export { comparisonAnswer } from './words/difference-text.js'
export { estimatorLabel, formatEstimate } from './words/estimate-text.js'
export { decisionSentences, evaluationAnswer } from './words/decision-text.js'
export { sensitivityText } from './words/sensitivity-text.js'
export { trainingAnswer } from './words/training-answer.js'
export { givenReward } from './estimate/reward/given.js'
export { itemMean, itemPositionMean } from './estimate/reward/item-mean.js'
export type { FittedReward, RewardModel } from './estimate/reward/reward-model.js'
export type { Target } from './estimate/target.js'
