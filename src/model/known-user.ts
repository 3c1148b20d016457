import { HindcastError } from '../error.js'

/** Refuses a user that a model was not made for. */
export function requireUser(user: number, users: number): void {
  if (!(Number.isInteger(user) && user >= 0 && user < users))
    throw new HindcastError('bad-option', `There is no user ${user}: the model knows ${users}.`, {
      remedy: 'Count users from 0, or fold somebody new in from their clicks.',
    })
}
