import { type Level, QUESTIONS, type Verdict } from './verdict.js'

/** A verdict whose reasons say this; of one to trust, the first says how well the log covers the policy. */
export function exampleVerdict(level: Level, ...messages: readonly string[]): Verdict {
  const means = { trust: 'decide', caution: 'careful', refuse: 'cannot-tell' } as const
  return {
    level,
    means: means[level],
    questions: QUESTIONS.map((question) =>
      question === 'overlap'
        ? { question, level, text: messages[0] ?? 'The log covers the policy.' }
        : { question, level: 'trust', text: 'Nothing was found.' },
    ),
    reasons:
      level === 'trust'
        ? []
        : messages.map((message) => ({
            code: 'any',
            level,
            question: 'overlap',
            shift: null,
            driver: null,
            message,
            value: null,
          })),
  }
}
