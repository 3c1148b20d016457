import { HindcastError } from '../error.js'

/** Throws for a user that the model does not have. */
export function requireUser(user: number, users: number): void {
  if (!(Number.isInteger(user) && user >= 0 && user < users))
    throw new HindcastError('bad-option', `There is no user ${user}: the model has ${users} users.`, {
      remedy: 'Count users from 0, or score a new user from their clicks.',
    })
}
