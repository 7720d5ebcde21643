import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type DeviceHeaders,
  fingerprintStaysSeconds,
  isReplacing,
  judgeNameless,
  judgeUnknown,
  mostDevices,
  mostFingerprints,
  readApp,
  readDevice,
  readFingerprint,
  readHwid,
} from './device.ts'

test.each([
  ['a1B2c3D4e5', true],
  ['A'.repeat(64), true],
  ['4f9c2b1e-0d3a-4c55-9b7e-2f1a6c8d0e11', true],
  ['MTIzNDU2Nzg5MA==', true],
  ['a1B2c3D4e', false],
  ['A'.repeat(65), false],
  ['has a space 1', false],
  ['a1B2c3D4e5\n', false],
  ['abcdefghij, abcdefghij', false],
  ["abcdefghij';--", false],
  ['устройство-номер-один', false],
  ['', false],
  [undefined, false],
])('readHwid(%j): %s', (header, isUsable) => {
  expect(readHwid(header)).toBe(isUsable ? header : undefined)
})

test.each([
  ['Happ/3.7.0/Android (arm64; 14)', 'Happ/3.7.0/Android'],
  ['v2rayNG/1.9.5', 'v2rayNG/1.9.5'],
  ['clash-verge/v2.0; x', 'clash-verge/v2.0'],
  [`A${'a'.repeat(200)}`, `A${'a'.repeat(63)}`],
  ['(nothing before)', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('readApp(%j): %s', (userAgent, app) => {
  expect(readApp(userAgent)).toBe(app)
})

describe('readDevice', () => {
  test('an app that tells everything', () => {
    expect(
      readDevice({ os: 'iOS', osVersion: '18.1', model: 'iPhone 15 Pro', userAgent: 'Happ/3.5.0' }),
    ).toEqual({
      name: 'iPhone 15 Pro',
      type: 'ios',
      model: 'iPhone 15 Pro',
      osVersion: '18.1',
      platform: 'iOS',
    })
  })

  test('an app that tells nothing', () => {
    expect(readDevice({})).toEqual({
      name: 'linux',
      type: 'linux',
      model: '',
      osVersion: '',
      platform: 'linux',
    })
  })

  test.each([
    ['iOS', '', 'ios'],
    ['iPadOS', '', 'ios'],
    ['ANDROID', '', 'android'],
    ['Windows', '', 'windows'],
    ['windows_nt', '', 'windows'],
    ['macOS', '', 'macos'],
    ['Mac OS X', '', 'macos'],
    ['darwin', '', 'macos'],
    ['Linux', '', 'linux'],
    ['HarmonyOS', '', 'linux'],
    ['HarmonyOS', 'Happ/1 (android)', 'android'],
    ['Windows', 'Happ/1 (android)', 'windows'],
    ['', 'v2rayNG/1.9.5', 'android'],
    ['', 'v2rayN/7.2', 'windows'],
    ['', 'SFA/1.11.0 (Build 1; sing-box 1.11.0; language ru_RU)', 'android'],
    ['', 'SFI/1.11.0', 'ios'],
    ['', 'SFM/1.11.0', 'macos'],
    ['', 'Streisand', 'ios'],
    ['', 'Shadowrocket/2070 CFNetwork/1410.0.3 Darwin/22.6.0 iPhone14,2', 'ios'],
    ['', 'V2Box 9/1 CFNetwork/1410.0.3 Darwin/22.6.0', 'ios'],
    ['', 'FoXray/1 CFNetwork/1410.0.3 Darwin/22.6.0 Macmini9,1', 'macos'],
    ['', 'clash-verge/v2.0.3 darwin', 'macos'],
    ['', 'FlClash/v0.8 clash-verge Platform/windows', 'windows'],
    ['', 'HiddifyNext/2.5.7 (linux) like ClashMeta v2ray sing-box', 'linux'],
    ['', 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36', 'android'],
    ['', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 'ios'],
    ['', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macos'],
    ['', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
    ['', 'curl/8.5.0', 'linux'],
  ])('system %j, app %j: %s', (os, userAgent, type) => {
    expect(readDevice({ os, userAgent }).type).toBe(type)
  })

  test.each([
    [{ model: 'Pixel 8', userAgent: 'Happ/3' }, 'Pixel 8'],
    [{ userAgent: 'Happ/3.5.0/Android' }, 'Happ'],
    [{ userAgent: 'clash-verge v2' }, 'clash-verge'],
    [{ model: ' \t', userAgent: '/3' }, 'linux'],
    [{ model: Buffer.from('Телефон Ани 📱').toString('latin1') }, 'Телефон Ани 📱'],
    [{ model: 'Caf\u00e9 phone' }, 'Café phone'],
    [{ model: 'a\u0000b\u001b[31m\u007fc' }, 'a b [31m c'],
    [{ model: Buffer.from('x\u202egnp.exe\u200b').toString('latin1') }, 'xgnp.exe'],
    [{ model: `${'x'.repeat(63)} y` }, 'x'.repeat(63)],
    [{ model: "Robert'); drop table devices;--" }, "Robert'); drop table devices;--"],
  ] satisfies [DeviceHeaders, string][])('%j is called %j', (headers, name) => {
    expect(readDevice(headers).name).toBe(name)
  })

  test('whatever is sent, what is kept is short, visible and can be stored', () => {
    const header = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => Buffer.from(text).toString('latin1')),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    )
    fc.assert(
      fc.property(header, header, header, header, (os, osVersion, model, userAgent) => {
        const told = readDevice({ os, osVersion, model, userAgent })
        expect(told.name).not.toBe('')
        for (const text of [told.name, told.model, told.osVersion]) {
          expect([...text].length).toBeLessThanOrEqual(64)
          expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
          expect(text).toBe(text.trim())
          expect(text.isWellFormed()).toBe(true)
        }
      }),
    )
  })

  test('an endless header costs next to nothing', () => {
    const startedAt = performance.now()
    for (const text of ['cfnetwork', 'mac', 'win', ' ', '/', '\u00d0']) {
      const long = text.repeat(100_000)
      readDevice({ os: long, osVersion: long, model: long, userAgent: long })
      readHwid(long)
    }
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})

describe('an app that names no device', () => {
  test.each([
    ['v2rayNG/1.10.2', 'v2rayNG/1.9.5', 'v2rayng_android'],
    [
      'HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box',
      'HiddifyNext/3.0 (android)',
      'hiddifynext_android',
    ],
    ['Hiddify/2.0.5 (Android)', 'hiddify/2 (android)', 'hiddify_android'],
    [
      'Streisand/1.6 CFNetwork/1390 Darwin/22.0.0',
      'Streisand/1.7 CFNetwork/1568 Darwin/24.1.0',
      'streisand_ios',
    ],
    [
      'Shadowrocket/2.2.62 CFNetwork/1568 Darwin/24.1.0',
      'Shadowrocket/2070 CFNetwork/1410',
      'shadowrocket_ios',
    ],
    ['FlClash X/v0.3.1 Platform/android', 'FlClash X/v1 Platform/android', 'flclash-x_android'],
    ['Mihomo Meta v1.19.14 windows amd64', 'Mihomo Meta 2.0 windows arm64', 'mihomo-meta_windows'],
    ['sing-box 1.12.0', 'Sing-Box/2.0.0', 'sing-box_linux'],
    ['V2Box 2.0.0;IOS 17.4', 'V2Box 9/1 CFNetwork/1410.0.3 Darwin/22.6.0', 'v2box_ios'],
    ['NekoBox/Android/1.3.4 (Prefer ClashMeta Format)', 'NekoBox/Android/2', 'nekobox_android'],
    ['Some-App-1.2.3 beta', 'Some-App-2', 'some-app_linux'],
  ])('%s and %s are %s', (one, other, fingerprint) => {
    expect([one, other].map((userAgent) => readFingerprint({ userAgent }))).toEqual([
      fingerprint,
      fingerprint,
    ])
  })

  test('is another one on another system', () => {
    const userAgent = 'Karing/1.0.38'
    expect(readFingerprint({ os: 'iOS', userAgent })).toBe('karing_ios')
    expect(readFingerprint({ os: 'Windows', userAgent })).toBe('karing_windows')
  })

  test('whatever it says, is known by something short that no identifier looks like', () => {
    const header = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 80 }))
    fc.assert(
      fc.property(header, header, (os, userAgent) => {
        const fingerprint = readFingerprint({ os, userAgent })
        expect(fingerprint).toMatch(/^[a-z0-9.-]{1,48}_[a-z]+$/)
        expect(readHwid(fingerprint)).toBeUndefined()
        expect(readFingerprint({ os, userAgent })).toBe(fingerprint)
      }),
    )
    expect(readFingerprint({})).toMatch(/^[0-9a-f]{32}_linux$/)
  })
})

describe('who may have the subscription', () => {
  test.each([
    [false, 0, false, 'served'],
    [false, 0, true, 'no_hwid'],
    [false, 1, false, 'no_hwid'],
    [true, 0, false, 'no_hwid'],
    [true, 100, true, 'no_hwid'],
  ] as const)('without a name, unknown blocked %s, limit %i, some blocked %s: %s', (block_unknown_devices, device_limit, hasBlocked, verdict) => {
    expect(judgeNameless({ block_unknown_devices, device_limit }, hasBlocked)).toBe(verdict)
  })

  test.each([
    [false, 0, 0, 0, 'new'],
    [false, 0, 500, 400, 'new'],
    [false, 0, mostDevices - 1, 0, 'new'],
    [false, 0, mostDevices, 0, 'served'],
    [false, 3, 2, 2, 'new'],
    [false, 3, 9, 2, 'new'],
    [false, 3, 3, 3, 'limit'],
    [false, 3, 5, 5, 'limit'],
    [false, 3, mostDevices, 2, 'limit'],
    [true, 0, 0, 0, 'unknown'],
    [true, 3, 3, 3, 'unknown'],
  ] as const)('unknown blocked %s, limit %i, %i kept, %i of them allowed: %s', (blocked, limit, kept, allowed, verdict) => {
    const settings = { block_unknown_devices: blocked, device_limit: limit }
    const counts = { kept, allowed, fingerprints: 0, fingerprint_seen_at: null }
    for (const isFingerprint of [true, false])
      expect(judgeUnknown(settings, counts, { isFingerprint, now: 1000 })).toBe(verdict)
  })

  const longAgo = 10_000 - fingerprintStaysSeconds
  test.each([
    [0, mostFingerprints - 1, longAgo, 'new', false],
    [0, mostFingerprints, longAgo, 'new', true],
    [0, mostFingerprints, longAgo + 1, 'served', false],
    [0, mostFingerprints, null, 'served', false],
    [5, mostFingerprints, longAgo, 'new', true],
    [5, mostFingerprints, longAgo + 1, 'limit', false],
    [5, mostFingerprints, null, 'limit', false],
  ] as const)('of a fingerprint, limit %i, %i kept, the oldest seen at %s: %s', (limit, fingerprints, seenAt, verdict, isInstead) => {
    const settings = { block_unknown_devices: false, device_limit: limit }
    const counts = { kept: fingerprints, allowed: 4, fingerprints, fingerprint_seen_at: seenAt }
    const newcomer = { isFingerprint: true, now: 10_000 }
    expect(judgeUnknown(settings, counts, newcomer)).toBe(verdict)
    expect(isReplacing(counts, newcomer)).toBe(isInstead)
    const named = { ...newcomer, isFingerprint: false }
    expect([judgeUnknown(settings, counts, named), isReplacing(counts, named)]).toEqual(['new', false])
  })
})
