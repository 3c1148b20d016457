/** Changes whenever a result of an older statement would be misread. */
export const SCRIPT_FORMAT = 3

/** A number that shows whether an export kept all digits. */
export const EXACT = 1 / 3

/** The parts of a result; `part_rows` of each row says how many rows its part has. `answer` is of the batch that was asked. */
export const SCRIPT_PARTS = ['setting', 'fact', 'fault', 'example', 'answer'] as const
export type ScriptPart = (typeof SCRIPT_PARTS)[number]

/** Some rows of a result: a part, an id, and numbers. */
export interface Output {
  readonly part: ScriptPart
  readonly id: string
  readonly numbers: readonly string[]
  readonly from?: string
}
