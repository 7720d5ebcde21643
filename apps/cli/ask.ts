import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Written to the terminal beside the answer; what is secret is not shown while it is typed. */
export const ask = async (question: string, { isSecret = false } = {}): Promise<string> => {
  process.stderr.write(question)
  const isHidden = isSecret && process.stdin.isTTY
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isHidden ? { output: silent, terminal: true } : {}
  const lines = createInterface({ input: process.stdin, ...output })
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}
