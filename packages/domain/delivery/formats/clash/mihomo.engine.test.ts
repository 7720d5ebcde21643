import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { describeWith, mihomoPath, xrayPath } from '../../../../../test/support/engines/engines.ts'
import {
  answerBytes,
  type ServedEndpoints,
  startServedEndpoints,
} from '../../../../../test/support/engines/served-endpoints.ts'
import { startSocksClient } from '../../../../../test/support/engines/xray-client.ts'
import { mihomo, xray } from '../../../../../test/support/pieces.ts'
import type { Endpoint } from '../../../vpn/endpoint.ts'
import type { Format } from '../../format.ts'
import * as samples from '../../render/testing/endpoints.ts'
import { pinned, servers } from '../../render/testing/servers.ts'
import { type Entry, notice } from '../entry.ts'
import { renderFormat } from '../render.ts'
import { everyEntry, manyServers } from '../testing/entries.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const run = promisify(execFile)
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-mihomo-'))
})
afterAll(() => rm(directory, { recursive: true }))

const textOf = (format: Format, entries: readonly Entry[]): string =>
  String(renderFormat(format, entries, { language: 'ru' }).body)

const lists = [
  ['every protocol', everyEntry],
  ['fifty servers', manyServers(50)],
  ['a notice alone', [notice('Подписка закончилась')]],
] as const
const cases = (['mihomo', 'stash', 'clash'] as const).flatMap((format) =>
  lists.map(([what, entries]) => [format, what, entries] as const),
)

describeWith(mihomo, 'mihomo', () => {
  /** Reads the text as it is, in a folder of its own, and says what it has said and left there. */
  const tried = async (text: string): Promise<{ said: string; left: string[] }> => {
    const home = await mkdtemp(join(directory, 'home-'))
    const file = join(home, 'config.yaml')
    await writeFile(file, text)
    const { stdout } = await run(mihomoPath() ?? '', ['-t', '-d', home, '-f', file])
    return { said: stdout, left: await readdir(home) }
  }

  test.each(cases)('takes %s with %s, and fetches nothing for it', async (format, _what, entries) => {
    const { said, left } = await tried(textOf(format, entries))
    expect(said).toContain('test is successful')
    expect(said).not.toMatch(/download|warn|error/i)
    expect(left).toEqual(['config.yaml'])
  })

  test('what it does not know is refused', async () => {
    const wrong = textOf('mihomo', everyEntry).replace('type: "hysteria2"', 'type: "hysteria3"')
    await expect(tried(wrong)).rejects.toMatchObject({ stdout: expect.stringContaining('hysteria3') })
  })
})

describeWith([xray, mihomo], 'mihomo as a client', () => {
  let served: ServedEndpoints
  beforeAll(async () => {
    served = await startServedEndpoints(xrayPath() ?? '')
  })
  afterAll(() => served?.stop())

  /** As the app would run it, but for where it listens. */
  const carriedBytes = async (format: Format, entry: Entry, timeoutMs: number): Promise<number> => {
    const config = parse(textOf(format, [entry])) as object
    const client = await startSocksClient({
      binary: mihomoPath() ?? '',
      directory,
      configAt: (port) => ({ ...config, 'mixed-port': port }),
      argsFor: (file) => ['-d', directory, '-f', file],
    })
    return answerBytes(client, timeoutMs)
  }
  const isCarried = (format: Format, name: string, endpoint: Endpoint) =>
    expect
      .poll(() => carriedBytes(format, served.here(name, endpoint), 10_000), { timeout: 40_000 })
      .toBeGreaterThan(1000)

  test.each(servers)('$name is carried', ({ name, endpoint }) => isCarried('mihomo', name, endpoint))

  test.each(['outline', 'http', 'socks5'])('of the old Clash, %s is carried', (name) => {
    const found = servers.find((server) => server.name === name)
    return isCarried('clash', name, found?.endpoint as Endpoint)
  })

  describe('another certificate than the pinned one', () => {
    test.each(['vless, TLS, vision', 'trojan, TLS', 'hysteria2'])('is refused with %s', async (name) => {
      const endpoint = servers.find((server) => server.name === name)?.endpoint as Endpoint
      const forged =
        endpoint.protocol === 'hysteria2'
          ? { ...endpoint, pinSha256: samples.pin }
          : ({ ...endpoint, security: { ...pinned, pinSha256: samples.pin } } as Endpoint)
      expect(await carriedBytes('mihomo', served.here(name, forged), 3000)).toBe(0)
    })
  })

  test('a notice carries nothing', async () => {
    expect(await carriedBytes('mihomo', notice('Подписка закончилась'), 2000)).toBe(0)
  })
})
