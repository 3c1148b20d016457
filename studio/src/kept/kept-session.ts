import type { NamedFile } from '$core/named-file.js'
import type { Training } from '$core/train/training.js'
import type { TrainedModel } from '../models.svelte.js'
import type { Machine } from '../train/orders.js'

export const SESSION_SCHEMA = 'hindcast.session/1'

/** A model that was trained here. */
export interface KeptModel {
  /** What settings call it: `model:ID`. */
  readonly id: number
  /** What a person calls it, after its method: "BPR #2". */
  readonly number: number
  readonly split: TrainedModel['split']
  readonly machine: Machine
  readonly training: Training
  /** `model.json` and `embeddings.safetensors`. */
  readonly files: readonly NamedFile[]
}

/** The files of a policy from files; their reading is among the settings. */
export interface KeptPolicy {
  readonly fingerprint: string
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array<ArrayBuffer> }[]
}

/** All that a person has done with a log. */
export interface KeptSession {
  /** The part of the address after the #: the view, all settings, which log it is and how it is read. */
  readonly link: string
  /** Notes of one's own, by view, and by figure as `figure:estimates`. */
  readonly notes: Readonly<Record<string, string>>
  readonly models: readonly KeptModel[]
  readonly policies: readonly KeptPolicy[]
  /** The rows of the log, where they are saved too. */
  readonly log: readonly File[]
}
