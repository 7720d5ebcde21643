import { type SwitchName, switchNames } from '@sallyport/contract/shapes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from './engine/instance-endpoint.ts'
import { type PersonalXray, personalXray } from './engine/personal-xray.ts'
import { switchProblems } from './switch-rules.ts'
import {
  edited,
  goodPersonalXray,
  goodXrayConfig,
  hostileXrayConfigs,
} from './testing/hostile-xray-configs.ts'
import { accepted, isRefused, refused } from './testing/read-xray-config.ts'
import { matchesPublicKey } from './xray-policy.ts'

/** The fastest of three runs, because other programs take their time from the clock too. */
const fastestMs = (run: () => void): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const startedMs = performance.now()
      run()
      return performance.now() - startedMs
    }),
  )

describe('check 33: hostile configs are refused', () => {
  test('the one they are made from is good', () => {
    expect(JSON.stringify(accepted(goodXrayConfig))).toBe(goodXrayConfig)
  })

  test('there are more than 600, each another, and none is accepted', () => {
    const texts = new Set(hostileXrayConfigs.map(({ text }) => text))
    expect(texts.size).toBe(hostileXrayConfigs.length)
    expect(texts.size).toBeGreaterThan(600)
    expect(hostileXrayConfigs.filter(({ text }) => !isRefused(text)).map(({ name }) => name)).toEqual([])
  })

  test.each(hostileXrayConfigs)('$name', ({ text, at }) => {
    const problems = refused(text)
    expect(problems.length).toBeLessThanOrEqual(20)
    expect(problems.every(({ problem }) => problem !== '')).toBe(true)
    expect(problems.some(({ path }) => path.startsWith(at))).toBe(true)
    expect(fastestMs(() => refused(text))).toBeLessThan(500)
  })
})

describe('what the options make passes unchanged', () => {
  const subsets = Array.from({ length: 2 ** switchNames.length }, (_, bits) =>
    switchNames.filter((_, index) => bits & (1 << index)),
  )
  const isValid = (options: readonly SwitchName[]): boolean => {
    const set = Object.fromEntries(options.map((name) => [name, true]))
    return switchProblems({ protocol: 'vless', locationId: 18, options: set }).length === 0
  }
  const passes = (personal: PersonalXray): void => {
    const { listen, port, site, otherSite, warp } = personal
    const text = JSON.stringify(personalXray(personal), null, 2)
    const at = { listen, port, targets: [site.target, otherSite.target], endpoints: [warp.endpoint] }
    expect(JSON.stringify(accepted(text, at), null, 2)).toBe(text)
  }

  test('every valid set of options, with and without a country of its own', () => {
    const sets = subsets.filter((options) => options.includes('use_extended_settings') && isValid(options))
    expect(sets.length).toBeGreaterThan(500)
    for (const options of sets) {
      passes({ ...goodPersonalXray, options })
      passes({ ...goodPersonalXray, options, homeDomains: ['ru', 'xn--p1ai'], homeNetworks: ['2.56.0.0/14'] })
    }
  })

  const name = fc.domain()
  const site = fc
    .record({ host: fc.oneof(name, fc.ipV4()), port: fc.integer({ min: 1, max: 65535 }), serverName: name })
    .map(({ host, port, serverName }) => ({ target: `${host}:${port}`, serverName }))
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
  const network = fc
    .tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }))
    .map(([ip, prefix]) => `${ip}/${prefix}`)
  const personal: fc.Arbitrary<PersonalXray> = fc.record({
    options: fc.subarray([...switchNames]).filter(isValid),
    listen: fc.constantFrom('0.0.0.0', '::', '127.0.0.1'),
    port: fc.integer({ min: 1024, max: 65535 }),
    uuid: fc.uuid(),
    realityPrivateKey: key.map((bytes) => bytes.toString('base64url')),
    shortId: key.map((bytes) => bytes.subarray(0, 8).toString('hex')),
    secretPath: key.map((bytes) => bytes.subarray(0, 16).toString('base64url')),
    site,
    otherSite: site,
    warp: fc.record({
      privateKey: key.map((bytes) => bytes.toString('base64')),
      addresses: fc.constant(['172.16.0.2/32', '2606:4700:110::2/128']),
      peerPublicKey: key.map((bytes) => bytes.toString('base64')),
      endpoint: fc.constantFrom(
        '162.159.192.1:2408',
        '[2606:4700:d0::a29f:c001]:2408',
        'engage.example:2408',
      ),
      reserved: fc.constantFrom([], [0, 127, 255]),
    }),
    homeDomains: fc.array(name, { maxLength: 5 }),
    homeNetworks: fc.array(network, { maxLength: 5 }),
  })

  test('whatever the server chose', () => {
    fc.assert(fc.property(personal, passes), { numRuns: 300 })
  })
})

describe('the public key', () => {
  const matches = (key: string): boolean => matchesPublicKey(accepted(goodXrayConfig), key)
  const publicKey = publicKeyOf(goodPersonalXray.realityPrivateKey)

  test('is known in every usual Base64', () => {
    const standard = Buffer.from(publicKey, 'base64url').toString('base64')
    expect(matches(publicKey)).toBe(true)
    expect(matches(standard)).toBe(true)
    expect(matches(standard.replace('=', ''))).toBe(true)
    expect(matches(`${publicKey}=`)).toBe(true)
  })

  test.each([
    '',
    'x',
    `${publicKey}A`,
    `${publicKey} `,
    goodPersonalXray.realityPrivateKey,
  ])('is not %j', (key) => {
    expect(matches(key)).toBe(false)
  })

  test('matches nothing without REALITY', () => {
    expect(
      matchesPublicKey(
        accepted(edited('inbounds[0].streamSettings', { security: 'tls', tlsSettings: {} })),
        publicKey,
      ),
    ).toBe(false)
  })
})
