/**
 * What belongs to a user, made when asked for and kept until another user is asked for: logs are drawn
 * and valued user by user, and the rows of all users together would not fit in memory.
 */
export function perUser<Value>(of: (user: number) => Value): (user: number) => Value {
  let last: { user: number; value: Value } | undefined
  return (user) => {
    if (last?.user !== user) last = { user, value: of(user) }
    return last.value
  }
}
