/**
 * What belongs to a context, such as a user, made when asked for and kept until another one is asked for: logs are
 * drawn and valued context by context, and the rows of all together would not fit in memory.
 */
export function perContext<Value>(of: (context: number) => Value): (context: number) => Value {
  let last: { context: number; value: Value } | undefined
  return (context) => {
    if (last?.context !== context) last = { context, value: of(context) }
    return last.value
  }
}
