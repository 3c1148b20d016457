import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The commands of lines as a shell understands them, each as its words; nothing but splitting is done. */
export async function typedWords(lines: readonly string[], name = 'hindcast'): Promise<string[][]> {
  // Each word ends with a zero byte, and each command with an empty line after it.
  const told = `${name}() { printf '%s\\0' "$@"; printf '\\n\\0'; }\nset -e\n${lines.join('\n')}\n`
  const { stdout } = await promisify(execFile)('sh', ['-c', told])
  return stdout
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1))
}
