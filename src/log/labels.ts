/** A further column of a log, kept as text: device, country, segment. */
export interface Labels {
  /** The label of each row, as an index into `ids`. */
  readonly index: Uint32Array
  /** The labels that occur, in the order of `orderOfIds`; `NO_LABEL` is that of rows whose cell is empty. */
  readonly ids: readonly string[]
}

/** The label of a row whose cell is empty: a group of its own, for a row without a device is still an impression. */
export const NO_LABEL = ''
