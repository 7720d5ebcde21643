import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { run, type Terminal } from './run.ts'

const usualWidth = 120

const terminal: Terminal = {
  env: process.env,
  width: process.stdout.columns ?? usualWidth,
  isInteractive: process.stderr.isTTY === true,
  write: (text) => void process.stdout.write(text),
  say: (text) => void process.stderr.write(text),
  writeBytes: async (chunk) => {
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
  },
  wait: async (milliseconds) => {
    await setTimeout(milliseconds)
  },
}

// Whoever reads only the beginning, as head does, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  process.exitCode = await run(terminal, process.argv.slice(2))
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
