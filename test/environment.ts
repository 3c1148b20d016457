/** Runs something with variables of the environment set, or unset where undefined, and puts them back. */
export async function withEnvironment<T>(
  variables: Readonly<Record<string, string | undefined>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  const put = (entries: Iterable<readonly [string, string | undefined]>): void => {
    for (const [name, value] of entries)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
  put(Object.entries(variables))
  try {
    return await work()
  } finally {
    put(before)
  }
}
