import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../test/support/engines/engines.ts'
import { curl } from '../test/support/pieces.ts'
import { demand } from './support/call.ts'
import { readCredentials } from './support/demo.ts'
import { makePlace } from './support/process.ts'

/** What a newcomer pastes from the README's first purchase, as it stands there. */
const blocks = (): string[] => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split(/^## First purchase in one minute$/m)
  return [...(section.split(/^## /m)[0] ?? '').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, code = '']) => code,
  )
}

/** A refusal ends the block, which curl alone would not. */
const strictly = 'set -euo pipefail; curl() { command curl --fail "$@"; }\n'

describeWith(curl, 'the README', () => {
  test('has blocks that work as they are pasted, each as a whole', async () => {
    const [purchase = '', signUp = '', ...others] = blocks()
    expect([purchase, signUp].map((block) => block.includes('localhost:8080'))).toEqual([true, true])
    expect(others).toEqual([])
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-readme-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // A machine without engines: the agent that servers are sold by has none to start.
    const place = await makePlace({ env: { LOCAL_AGENT: 'on', HOME: folder, XDG_CACHE_HOME: folder } })
    const service = await place.start()
    symlinkSync(place.dataDir, join(folder, 'data'))
    const paste = async (block: string): Promise<string> => {
      const code = strictly + block.replaceAll('localhost:8080', new URL(service.url).host)
      return (await promisify(execFile)('bash', ['-c', code], { cwd: folder })).stdout
    }

    const said = await paste(purchase)
    expect(said).toMatch(/"link":"[^"]+\/pay\//)
    expect(said).toMatch(/\nvless:\/\/|}vless:\/\//)
    const { api_key: token } = readCredentials(place.dataDir)
    expect(await demand(service.url, 'GET', '/v1/configs', { token })).toHaveLength(1)
    expect(await paste(signUp)).toMatch(/"session_token":"[^"]+"/)
    expect(service.output).toContain(
      `curl -X POST ${service.url}/v1/configs -H 'Authorization: Bearer ${token}'`,
    )
  })
})
