import { expect, test } from 'vitest'
import { apps, browsers } from '../../../../test/support/user-agents.ts'
import { chooseFormat, readNamed } from './choice.ts'

const asked = (userAgent: string | undefined, accept = '*/*', isTemplateEnabled = false) =>
  chooseFormat({ userAgent, accept, isTemplateEnabled })
const shown = ({ format, variant }: ReturnType<typeof asked>) =>
  variant === undefined ? format : `${format} ${variant}`

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test.each<readonly [string | undefined, string]>([
  ...apps,
  ['', 'base64'],
  [undefined, 'base64'],
])('%s is given %s', (userAgent, expected) => {
  expect(shown(asked(userAgent))).toBe(expected)
})

test.each([
  ...browsers,
  'clash-verge/v2.4.2',
  undefined,
])('%s that takes HTML is given the page', (userAgent) => {
  expect(asked(userAgent, browserAccept, true)).toEqual({ format: 'page' })
  expect(asked(userAgent, 'TEXT/HTML')).toEqual({ format: 'page' })
})

test("what Java's own client accepts makes no browser of it", () => {
  const accept = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'
  expect(shown(asked('Java/17.0.9', accept))).toBe('base64')
  expect(shown(asked('v2rayNG/1.10.2', accept, true))).toBe('xray list')
})

test.each([
  ['Happ/3.4.1', 'xray list'],
  ['v2rayNG/1.10.2', 'xray list'],
  ['v2rayN/7.3.6', 'xray list'],
  ['Streisand/1.6.44', 'xray list'],
  ['V2Box 2.0.0;IOS 17.4', 'xray list'],
  ['INCY/2.1', 'xray list'],
  // What these take is not changed by it.
  ['Shadowrocket/2.2.62', 'base64'],
  ['v2raytun/5.24.76 Windows/10.0', 'base64'],
  ['Happiness/1.0', 'base64'],
  ['HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box', 'base64'],
  ['clash-verge/v2.4.2', 'mihomo'],
])('where Xray JSON is switched on, %s is given %s', (userAgent, expected) => {
  expect(shown(asked(userAgent, '*/*', true))).toBe(expected)
})

test.each([
  ['transfat/1.0', 'base64'],
  ['misfit/2.0 disfavour', 'base64'],
  ['x'.repeat(100_000), 'base64'],
  [`${'x'.repeat(600)} sing-box 1.12.0`, 'base64'],
  ['sing-box 99999999999999999999.1', 'sing-box 1.12'],
  ['SFA/1.', 'sing-box 1.12'],
  ['SFA/NaN.NaN', 'sing-box 1.12'],
  [`${'clash-'.repeat(50)}verge`, 'clash'],
  ['  clash-verge/v2.4.2', 'mihomo'],
  ['<script>alert(1)</script>', 'base64'],
  ["'; DROP TABLE users; --", 'base64'],
  ['\u0000\u0001', 'base64'],
  ['__proto__', 'base64'],
])('a hostile user agent, %.40s, is given %s', (userAgent, expected) => {
  expect(shown(asked(userAgent))).toBe(expected)
})

test('an address that names the format leaves the variant to the app', () => {
  const old = { userAgent: 'SFA/1.11.4', accept: browserAccept, isTemplateEnabled: false }
  expect(chooseFormat(old, { format: 'sing-box' })).toEqual({ format: 'sing-box', variant: '1.11' })
  expect(chooseFormat(old, { format: 'xray' })).toEqual({ format: 'xray', variant: 'list' })
  expect(chooseFormat(old, { format: 'links' })).toEqual({ format: 'links' })
  expect(chooseFormat(old, { format: 'page' })).toEqual({ format: 'page' })
})

test.each([
  'base64',
  'links',
  'xray',
  'mihomo',
  'stash',
  'clash',
  'sing-box',
  'outline',
  'conf',
  'page',
])('?format=%s is taken', (format) => {
  expect(readNamed(format)).toEqual({ format })
})

test.each([
  '',
  'Base64',
  'singbox',
  'json',
  'constructor',
  ['xray', 'conf'],
  null,
  7,
])('?format=%j is refused', (value) => {
  expect(readNamed(value)).toEqual({
    problem: 'format must be one of base64, links, xray, mihomo, stash, clash, sing-box, outline, conf, page',
  })
})

test.each([
  ['xray', 'list'],
  ['xray', 'single'],
  ['sing-box', '1.11'],
  ['sing-box', '1.12'],
])('?format=%s&variant=%s is given to whoever asks', (format, variant) => {
  const named = readNamed(format, variant)
  expect(named).toEqual({ format, variant })
  const app = { userAgent: 'SFA/1.11.4', accept: browserAccept, isTemplateEnabled: false }
  expect(chooseFormat(app, named as { format: 'xray' })).toEqual({ format, variant })
})

test.each([
  ['xray', '1.12', 'variant of xray must be one of list, single'],
  ['sing-box', '', 'variant of sing-box must be one of 1.11, 1.12'],
  ['sing-box', ['1.11', '1.12'], 'variant of sing-box must be one of 1.11, 1.12'],
  ['mihomo', 'single', 'mihomo has no variants'],
  ['page', 'list', 'page has no variants'],
])('?format=%s&variant=%j is refused', (format, variant, problem) => {
  expect(readNamed(format, variant)).toEqual({ problem })
})

test('a variant of nothing is refused, and nothing named leaves all to the headers', () => {
  expect(readNamed(undefined, 'single')).toHaveProperty('problem')
  expect(readNamed(undefined)).toBeUndefined()
})
