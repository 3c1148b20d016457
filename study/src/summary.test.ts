import { expect, it } from 'vitest'
import { exampleStudy } from './example-study.js'
import { summaryOf } from './summary.js'

it('counts every target policy once, by its gravest verdict', () => {
  expect(summaryOf(exampleStudy())).toContainEqual(
    expect.stringMatching(
      /^Of 6 target policies .* is trust for 2, caution for 2 and refuse for 2 \(learned, the best item nine times in ten; learned, the best item alone\)\.$/,
    ),
  )
})
