import { expect } from 'vitest'
import { hindcast } from '../hindcast.js'
import { typedWords } from '../typed-words.js'

/**
 * Types lines into a shell in a folder, as somebody would who copied them from the page; what they print. A command
 * that ends badly is an error, but for one whose answer is bad: exit code 1. The shell splits the lines into words,
 * and the commands run in this process.
 */
export async function runTyped(lines: string, folder: string): Promise<string> {
  let printed = ''
  for (const words of await typedWords(lines.split('\n'))) {
    const { code, stdout, stderr } = await hindcast(words, { cwd: folder })
    expect(code, stderr).toBeLessThanOrEqual(1)
    printed += stdout
  }
  return printed
}
