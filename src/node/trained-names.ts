import { CARD_FILE, EMBEDDINGS_FILE } from '../model/model-files.js'
import { EPOCHS_FILE, TRAINING_FILE } from '../train/training-files.js'

/** The folder of checkpoints, in that of the training. */
export const CHECKPOINTS = 'checkpoints'

/** The outcome of the protocol that compares methods on random ratings. */
export const MAR_FILE = 'mar.json'

/** What a training writes into its folder, the report aside. */
export const TRAINED_NAMES: readonly string[] = [
  CARD_FILE,
  EMBEDDINGS_FILE,
  EPOCHS_FILE,
  TRAINING_FILE,
  CHECKPOINTS,
  MAR_FILE,
]
