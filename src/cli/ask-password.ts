import { HindcastError } from '../error.js'

const [ENTER, NEWLINE, INTERRUPT, END, BACKSPACE, DELETE] = ['\r', '\n', '\u0003', '\u0004', '\b', '\u007f']

/** Asks the person at the terminal for a password, which is not shown. */
export function askPassword(about: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(`Password for ${about}: `)
  return new Promise((resolve, reject) => {
    let typed = ''
    const finish = (end: () => void): void => {
      stdin.off('data', hear)
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
      end()
    }
    const hear = (letters: string): void => {
      for (const letter of letters)
        if (letter === ENTER || letter === NEWLINE || letter === END) return finish(() => resolve(typed))
        else if (letter === INTERRUPT)
          return finish(() => reject(new HindcastError('interrupted', 'Interrupted.')))
        else if (letter === BACKSPACE || letter === DELETE) typed = [...typed].slice(0, -1).join('')
        else typed += letter
    }
    stdin.setEncoding('utf8')
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('data', hear)
  })
}
