import { badOption } from '../error.js'

/** Throws for a user that the model does not have. */
export function requireUser(user: number, users: number): void {
  if (!(Number.isInteger(user) && user >= 0 && user < users))
    throw badOption(
      `There is no user ${user}: the model has ${users} users.`,
      'Count users from 0, or score a new user from their clicks.',
    )
}
