import { describe, expect, it } from 'vitest'
import { newestOnly } from './newest-only.js'

describe('newestOnly', () => {
  it('asks the first and the last of questions that come while one is being answered', async () => {
    const asked: number[] = []
    const answers: (() => void)[] = []
    const ask = newestOnly<number>((question) => {
      asked.push(question)
      return new Promise((resolve) => answers.push(resolve))
    })
    for (const question of [1, 2, 3]) ask(question)
    expect(asked).toEqual([1])
    answers[0]!()
    await Promise.resolve()
    await Promise.resolve()
    expect(asked).toEqual([1, 3])
    answers[1]!()
    await new Promise((resolve) => setTimeout(resolve))
    ask(4)
    expect(asked).toEqual([1, 3, 4])
  })
})
