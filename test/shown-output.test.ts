import { expect, it } from 'vitest'
import { withOutputs } from './shown-output.js'

const page = (block: string): string => `# A page\n\n\`\`\`console\n${block}\n\`\`\`\n\nThe end.\n`
const shout = async (command: string): Promise<string> =>
  command === 'be quiet' ? '' : `${command.toUpperCase()}\n`

it('puts what commands write in place of what stood there', async () => {
  expect(await withOutputs(page('$ one\nold\n\n$ be quiet\n$ two'), shout)).toBe(
    page('$ one\nONE\n\n$ be quiet\n$ two\nTWO'),
  )
})

it('leaves out the paragraphs that the page leaves out', async () => {
  const run = async (): Promise<string> => 'a\n\nb\n\nc\nc\n\nd\n'
  expect(await withOutputs(page('$ it\nx\n\n…\n\ny'), run)).toBe(page('$ it\na\n\n…\n\nd'))
  expect(await withOutputs(page('$ it\n…\n\ny'), run)).toBe(page('$ it\n…\n\nd'))
  expect(await withOutputs(page('$ it\nx\n\n…'), run)).toBe(page('$ it\na\n\n…'))
})

it('leaves other blocks alone', async () => {
  const other = '```\n$ one\n```\n'
  expect(await withOutputs(other, shout)).toBe(other)
})
