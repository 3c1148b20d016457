import { FOLDS } from '../propensity/user-folds.js'
import type { Dialect } from './dialect.js'

/** The places of the folds of users. */
export const FOLD_PLACES: readonly number[] = Array.from({ length: FOLDS }, (_, fold) => fold)

/** The fold of a user as `foldOfUser` has it, in an engine. */
export const foldSql = (dialect: Dialect, user: string, seed: number): string =>
  `mod(${dialect.bucket(`${dialect.literal(`${seed}:`)} || ${dialect.text(user)}`)}, ${FOLDS})`

/** Of a value for each fold, that of the fold of a row. */
export const ofFold = (fold: string, value: (fold: number) => string): string =>
  `CASE ${fold} ${FOLD_PLACES.slice(1)
    .map((k) => `WHEN ${k} THEN ${value(k)}`)
    .join(' ')} ELSE ${value(0)} END`

/** A column for each fold, named by the letter and the fold. */
export const byFold = (letter: string, value: (fold: number) => string): string =>
  FOLD_PLACES.map((k) => `${value(k)} AS ${letter}${k}`).join(', ')
