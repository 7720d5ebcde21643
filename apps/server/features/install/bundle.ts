import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const agentMain = fileURLToPath(new URL('../../../agent/main.ts', import.meta.url))

/** A release has it made already, and leaves out what makes it. */
const madeBefore = (): Promise<string | null> =>
  readFile(new URL('../../../agent/dist/agent.mjs', import.meta.url), 'utf8').catch(() => null)

/** The agent with everything it imports, as one file of JavaScript. */
export const bundleAgent = async (): Promise<string> => (await madeBefore()) ?? makeBundle()

const makeBundle = async (): Promise<string> => {
  // Loaded when it is needed: it is larger than the rest of the service.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: agentMain,
    platform: 'node',
    logLevel: 'silent',
  })
  try {
    // Packages leave it to whoever bundles them to keep the words of their licences.
    const { output } = await bundle.generate({
      format: 'esm',
      codeSplitting: false,
      comments: { legal: true },
    })
    const [only, ...others] = output
    if (!only || others.length > 0) throw new Error('the agent was not bundled into one file')
    return only.code
  } finally {
    await bundle.close()
  }
}
