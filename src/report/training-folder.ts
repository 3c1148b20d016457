import { type NamedFile, textFile } from '../named-file.js'
import { epochsFile, trainingFile } from '../train/training-files.js'
import type { PageOptions } from './report.js'
import { type TrainingPage, trainingPage } from './training-page.js'

/** What the page of a training is called in its folder. */
export const REPORT_FILE = 'report.html'

/** What the folder of a training is made from. */
export interface TrainingFolder extends TrainingPage {
  /** By `modelFiles`. */
  readonly model: readonly NamedFile[]
}

/**
 * The files of a training folder, checkpoints aside: `model.json`,
 * `embeddings.safetensors`, `epochs.ndjson`, `training.json`, `report.html`.
 */
export const trainingFolder = (
  { model, ...page }: TrainingFolder,
  options: PageOptions,
): readonly NamedFile[] => [
  ...model,
  epochsFile(page.training.epochs),
  trainingFile(page.training),
  textFile(REPORT_FILE, trainingPage(page, options)),
]
