import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  describeWith,
  oldSingBoxPath,
  singBoxPath,
  xrayPath,
} from '../../../../test/support/engines/engines.ts'
import {
  answerBytes,
  type ServedEndpoints,
  startServedEndpoints,
} from '../../../../test/support/engines/served-endpoints.ts'
import { startSocksClient } from '../../../../test/support/engines/xray-client.ts'
import { oldSingBox, singBox, xray } from '../../../../test/support/pieces.ts'
import type { Language } from '../../text/language.ts'
import type { Endpoint } from '../../vpn/endpoint.ts'
import type { SingBoxVariant, XrayVariant } from '../format.ts'
import { servers } from '../render/testing/servers.ts'
import { readTemplate } from '../templates/template.ts'
import { type Entry, notice } from './entry.ts'
import { renderFormat } from './render.ts'
import { everyEntry, manyServers } from './testing/entries.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const language: Language = 'ru'
const run = promisify(execFile)
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-formats-'))
})
afterAll(() => rm(directory, { recursive: true }))

const written = async (text: string): Promise<string> => {
  const file = join(directory, 'config.json')
  await writeFile(file, text)
  return file
}

/** Each of the two ways to say it is read by an engine that apps have of that time. */
const singBoxOf = (variant: SingBoxVariant): string =>
  (variant === '1.11' ? oldSingBoxPath() : singBoxPath()) ?? ''

const lists = [
  ['every protocol', everyEntry],
  ['fifty servers', manyServers(50)],
  ['a notice alone', [notice('Подписка закончилась')]],
] as const

describeWith(xray, 'Xray', () => {
  const accepted = async (config: object): Promise<void> => {
    const file = await written(JSON.stringify(config))
    const { stdout } = await run(xrayPath() ?? '', ['run', '-test', '-c', file])
    expect(stdout).toContain('Configuration OK')
  }

  test('takes the config of every protocol', async () => {
    const { body } = renderFormat('xray', everyEntry, { language })
    const configs = JSON.parse(String(body)) as object[]
    expect(configs.length).toBe(everyEntry.length - 2)
    for (const config of configs) await accepted(config)
  })

  test.each(lists)('takes one config with %s', async (_what, entries) => {
    const { body } = renderFormat('xray', entries, { language, variant: 'single' })
    await accepted(JSON.parse(String(body)) as object)
  })

  test('takes entries in the template of a customer', async () => {
    const read = readTemplate(
      'xray',
      JSON.stringify({
        log: { access: 'none' },
        outbounds: [{ tag: 'out', protocol: 'freedom' }],
        routing: {
          rules: [
            { port: '25', outboundTag: 'out' },
            { network: 'tcp', outboundTag: 'proxy' },
          ],
        },
      }),
    )
    if ('problem' in read) throw new Error(read.problem)
    for (const variant of ['list', 'single'] as const) {
      const { body } = renderFormat('xray', manyServers(2), { language, variant, ...read })
      for (const config of [JSON.parse(String(body))].flat()) await accepted(config as object)
    }
  })
})

describeWith([singBox, oldSingBox], 'sing-box', () => {
  const checked = async (text: string, variant: SingBoxVariant): Promise<void> => {
    const file = await written(text)
    await run(singBoxOf(variant), ['check', '-c', file])
  }

  const cases = (['1.11', '1.12'] as const).flatMap((variant) =>
    lists.map(([what, entries]) => [variant, what, entries] as const),
  )
  test.each(cases)('%s takes %s', async (variant: SingBoxVariant, _what, entries) => {
    const { body } = renderFormat('sing-box', entries, { language, variant })
    await checked(String(body), variant)
  })

  test.each(['1.11', '1.12'] as const)('%s refuses what it does not know', async (variant) => {
    const { body } = renderFormat('sing-box', everyEntry, { language, variant })
    await expect(
      checked(String(body).replace('"type":"hysteria2"', '"type":"hysteria3"'), variant),
    ).rejects.toThrow('hysteria3')
  })

  test.each([
    ['1.11', '1.12', 'legacy DNS servers'],
    ['1.12', '1.11', 'unknown field'],
  ] as const)('what is for %s is refused by %s', async (variant, other, problem) => {
    const { body } = renderFormat('sing-box', everyEntry, { language, variant })
    await expect(checked(String(body), other)).rejects.toThrow(problem)
  })
})

describeWith([xray, singBox, oldSingBox], 'whole configs', () => {
  let served: ServedEndpoints
  beforeAll(async () => {
    served = await startServedEndpoints(xrayPath() ?? '')
  })
  afterAll(() => served?.stop())

  const entryOf = (name: string): Endpoint => {
    const found = servers.find((server) => server.name === name)
    if (!found) throw new Error(`Nobody serves ${name}`)
    return served.here(name, found.endpoint)
  }

  /** As the app would run it, but for where it listens. */
  const startXray = (entry: Entry, variant: XrayVariant) => {
    const { body } = renderFormat('xray', [entry], { language, variant })
    const [config] = [JSON.parse(String(body))].flat() as object[]
    const inbound = { listen: '127.0.0.1', protocol: 'socks' }
    const configAt = (port: number) => ({ ...config, inbounds: [{ ...inbound, port }] })
    return startSocksClient({ binary: xrayPath() ?? '', directory, configAt })
  }
  const startSingBox = (entry: Entry, variant: SingBoxVariant) => {
    const { body } = renderFormat('sing-box', [entry], { language, variant })
    const { route, ...config } = JSON.parse(String(body)) as { route: object }
    const inbound = { type: 'mixed', listen: '127.0.0.1' }
    // Bound to the interface that leads outside, WireGuard would not reach this machine's own addresses.
    const here = { ...config, route: { ...route, auto_detect_interface: false } }
    const configAt = (listen_port: number) => ({ ...here, inbounds: [{ ...inbound, listen_port }] })
    return startSocksClient({ binary: singBoxOf(variant), directory, configAt })
  }

  const names = ['vless, REALITY, vision', 'trojan, TLS', 'shadowsocks 2022', 'hysteria2', 'wireguard']
  const clients = [
    ['Xray, one of a list', (entry: Entry) => startXray(entry, 'list')],
    ['Xray, all in one', (entry: Entry) => startXray(entry, 'single')],
    ['sing-box 1.11', (entry: Entry) => startSingBox(entry, '1.11')],
    ['sing-box 1.12', (entry: Entry) => startSingBox(entry, '1.12')],
  ] as const
  test.each(clients)('%s carries traffic', async (_client, start) => {
    for (const name of names) {
      const bytes = async () => answerBytes(await start(entryOf(name)), 10_000)
      await expect.poll(bytes, { timeout: 40_000, message: name }).toBeGreaterThan(1000)
    }
  })

  test.each(clients)('%s carries nothing where a notice stands', async (_client, start) => {
    const client = await start(notice('Подписка закончилась'))
    expect(await answerBytes(client, 2000)).toBe(0)
  })
})
