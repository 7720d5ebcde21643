import { spawn } from 'node:child_process'

const commandTimeoutMs = 20_000

/** Runs a program with this input; throws what it complains about first. */
export const feed = (program: string, args: readonly string[], input: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { timeout: commandTimeoutMs, killSignal: 'SIGKILL' })
    const output = { out: '', error: '' }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output.out += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      output.error += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) return resolve(output.out)
      const complaint = output.error.trim().split('\n')[0] || `exit code ${code}`
      reject(new Error(`${program}: ${complaint}`))
    })
    // A program that ends early does not read on; its exit code says what there is to say.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })

/** Has nft carry out a whole script, or nothing of it. */
export const runNft = async (script: string, nft = 'nft'): Promise<void> => {
  await feed(nft, ['-f', '-'], `${script}\n`)
}
