// Training, models and metrics: runs in Node and in a browser tab alike.
export { graphOf, isLinked, neighboursOf } from '../graph/graph.js'
export type { Adjacency, Graph } from '../graph/graph.js'
export { propagate } from '../graph/propagate.js'
export { NO_ITEM } from '../kernels/kernel.js'
export type {
  Batch,
  EmbeddingsCopy,
  Kernel,
  KernelSettings,
  KernelState,
  LossForm,
  Numbers,
  Rankings,
} from '../kernels/kernel.js'
export { bestItems } from '../kernels/best-items.js'
export { type BackendName, BACKENDS } from '../kernels/backends.js'
export { createKernel, type KernelOptions } from '../kernels/create-kernel.js'
export { batchCompactor } from '../kernels/webgpu/compact-batch.js'
export type { CompactBatch } from '../kernels/webgpu/compact-batch.js'
export { findAdapter } from '../kernels/webgpu/adapter.js'
export type { FoundAdapter } from '../kernels/webgpu/adapter.js'
export { webgpuKernel } from '../kernels/webgpu/webgpu-kernel.js'
export type { WebgpuOptions } from '../kernels/webgpu/webgpu-kernel.js'
export { referenceKernel } from '../kernels/reference.js'
export { startWebThread } from '../kernels/wasm/thread.js'
export type { StartThread, Thread, ThreadStart } from '../kernels/wasm/thread.js'
export { hasSharedMemory, wasmKernel } from '../kernels/wasm/wasm-kernel.js'
export type { WasmOptions } from '../kernels/wasm/wasm-kernel.js'
export { embeddingModel } from '../model/embedding-model.js'
export type { EmbeddingModel, Embeddings } from '../model/embedding-model.js'
export { easeModel } from '../model/ease.js'
export type { EaseModel, EaseOptions } from '../model/ease.js'
export { itemKnnModel } from '../model/item-knn.js'
export type { ItemKnnOptions } from '../model/item-knn.js'
export type { Model, ModelKind } from '../model/model.js'
export type { ModelCard } from '../model/model-card.js'
export { modelFiles } from '../model/model-files.js'
export type { ModelToSave } from '../model/model-files.js'
export { modelPolicy } from '../model/model-policy.js'
export type { ModelPolicyOptions } from '../model/model-policy.js'
export { modelFromTensors, modelTensors } from '../model/model-tensors.js'
export { popularityModel } from '../model/popularity.js'
export type { Recommendations } from '../model/recommendations.js'
export { decodeSafetensors, encodeSafetensors } from '../model/safetensors.js'
export type { Safetensors, Tensor } from '../model/safetensors.js'
export { topK } from '../model/top-k.js'
export { heldOutClicks } from '../metrics/held-out.js'
export type { HeldOutClicks } from '../metrics/held-out.js'
export { rankingMetricsOf } from '../metrics/ranking-metrics-of.js'
export type { RankingMetricsOptions } from '../metrics/ranking-metrics-of.js'
export type { Metric, MetricsAtK, RankingMetrics } from '../metrics/ranking-metrics.js'
export { unseenRows } from '../estimate/unseen.js'
export type { UnseenRows } from '../estimate/unseen.js'
export { batchesAhead } from './batches-ahead.js'
export type { AheadOptions, SamplerThread, StartSampler } from './batches-ahead.js'
export { batchesInTurn } from './batch-source.js'
export type { BatchSource, BatchSourceMaker } from './batch-source.js'
export { sampler } from './sampler.js'
export { startWebSampler } from './start-web-sampler.js'
export { decodeCheckpoint, encodeCheckpoint } from './checkpoint.js'
export type { Checkpoint } from './checkpoint.js'
export { clickGraph, eventsOf } from './events.js'
export type { Events } from './events.js'
export type { Judge } from './judge.js'
export { rankBaselines } from './baselines.js'
export type { NamedFile } from '../named-file.js'
export { DEFAULT_SETTINGS, LOSSES, REGULARISERS, STOPPING_MEASURES, TRAINED_MODELS } from './settings.js'
export type {
  LossName,
  Negatives,
  Regulariser,
  RegulariserName,
  StoppingMeasure,
  TrainSettings,
  WeightTarget,
} from './settings.js'
export { settingsFor } from './settings-for.js'
export { train } from './train.js'
export type { Trained, TrainOptions } from './train.js'
export { trainOnLog } from './train-on-log.js'
export type { TrainChoices, TrainOnLogOptions } from './train-on-log.js'
export { modelToSave } from './training-files.js'
export type { EpochRecord, PolicyValue, RankedModel, Training } from './training.js'
export type { WeightsReport } from './weights-report.js'
