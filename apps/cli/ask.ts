import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UsageError } from './usage-error.ts'

/** Questions to whoever typed the command. They stand beside the answer, which may go to a file. */

interface Piped {
  readonly reader: Interface
  isClosed: boolean
  readonly lines: AsyncIterator<string>
}

let piped: Piped | undefined

/** One reader for all questions: what is piped in comes at once. Between questions it does not keep the program going. */
const nextPiped = async (question: string): Promise<string> => {
  if (!piped) {
    const reader = createInterface({ input: process.stdin })
    const begun: Piped = { reader, lines: reader[Symbol.asyncIterator](), isClosed: false }
    reader.once('close', () => {
      begun.isClosed = true
    })
    piped = begun
  }
  const { reader, lines } = piped
  if (!piped.isClosed) reader.resume()
  const { value, done } = await lines.next()
  process.stderr.write('\n')
  if (done) throw new UsageError(`There is no answer to “${question.trim()}”: say it with a flag (--help).`)
  if (!piped.isClosed) reader.pause()
  return value
}

const nextTyped = async (isSecret: boolean): Promise<string> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? { output: silent, terminal: true } : {}
  const reader = createInterface({ input: process.stdin, ...output })
  try {
    return await reader.question('')
  } finally {
    reader.close()
    if (isSecret) process.stderr.write('\n')
  }
}

/** What is secret is not shown while it is typed. */
export const ask = async (question: string, { isSecret = false } = {}): Promise<string> => {
  process.stderr.write(question)
  const answer = process.stdin.isTTY ? await nextTyped(isSecret) : await nextPiped(question)
  return answer.trim()
}
