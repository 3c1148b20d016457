/**
 * What belongs to a context, such as a user, computed on demand and kept until another one is requested: logs are
 * drawn and evaluated context by context, and all rows together would not fit in memory.
 */
export function perContext<Value>(of: (context: number) => Value): (context: number) => Value {
  let last: { context: number; value: Value } | undefined
  return (context) => {
    if (last?.context !== context) last = { context, value: of(context) }
    return last.value
  }
}
