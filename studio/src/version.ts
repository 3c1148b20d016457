/** The version of this program, put in by the build. */
declare const __VERSION__: string

export const VERSION = __VERSION__

/** How pages and reports name what made them. */
export const GENERATED_BY = `hindcast ${VERSION}`
