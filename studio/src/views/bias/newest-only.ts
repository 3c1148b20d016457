/**
 * Asks questions one at a time, and only the newest: what comes while one is being answered takes the place of what
 * was waiting. A slider asks faster than anybody can answer.
 */
export function newestOnly<Question>(
  ask: (question: Question) => Promise<void>,
): (question: Question) => void {
  let waiting: { readonly question: Question } | undefined
  let isBusy = false
  const work = async (): Promise<void> => {
    isBusy = true
    while (waiting) {
      const { question } = waiting
      waiting = undefined
      await ask(question)
    }
    isBusy = false
  }
  return (question) => {
    waiting = { question }
    if (!isBusy) void work()
  }
}
