import { expect, test } from 'vitest'
import { chooseFormat, readNamed } from './choice.ts'

const asked = (userAgent: string | undefined, accept = '*/*', isTemplateEnabled = false) =>
  chooseFormat({ userAgent, accept, isTemplateEnabled })
const shown = ({ format, variant }: ReturnType<typeof asked>) =>
  variant === undefined ? format : `${format} ${variant}`

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

test.each([
  ['FlClash/v0.8.33  clash-verge/v1.6.6  Platform/android', 'mihomo'],
  ['FlClash X/v0.3.1 Platform/android', 'mihomo'],
  ['mihomo/1.19.27', 'mihomo'],
  ['mihomo.party/v1.7.6 (clash.meta)', 'mihomo'],
  ['Mihomo Meta v1.19.14 windows amd64', 'mihomo'],
  ['clash-verge/v2.4.2', 'mihomo'],
  ['ClashVerge/1.0', 'mihomo'],
  ['clash-nyanpasu/v1.6.1', 'mihomo'],
  ['clash.meta/1.19.5', 'mihomo'],
  ['ClashMetaForAndroid/2.11.1.Meta', 'mihomo'],
  ['ClashX Meta/v1.4.24 (com.metacubex.ClashX.meta; build:622; macOS 26.0.0) Alamofire/5.10.2', 'mihomo'],
  ['Koala-Clash/1.4.0', 'mihomo'],
  ['prizrak-box/1.2.0', 'mihomo'],
  ['Stash/3.1.1 Clash/1.9.0', 'stash'],
  ['Stash/2.6.4 Clash/1.9.0 CFNetwork/1568 Darwin/24.1.0', 'stash'],
  ['SFA/1.11.4 (440; sing-box 1.11.4; language ru_RU)', 'sing-box 1.11'],
  ['SFA/1.12.14 (595; sing-box 1.12.14; language zh_CN)', 'sing-box 1.12'],
  ['SFI/1.12.2 (Build 2; sing-box 1.11.4; language zh_CN)', 'sing-box 1.11'],
  ['SFM/1.12.9 (Build 1; sing-box 1.12.12; language zh_CN)', 'sing-box 1.12'],
  ['SFT/1.13.0-beta.2', 'sing-box 1.12'],
  ['SFI/1.9.3', 'sing-box 1.11'],
  ['sing-box 1.12.0', 'sing-box 1.12'],
  ['sing-box/1.8.0', 'sing-box 1.11'],
  ['singbox/1.11.0', 'sing-box 1.11'],
  ['Sing-Box/2.0.0', 'sing-box 1.12'],
  ['sing-box 1.14.0 (ClashMetaForAndroid) clash2singbox', 'sing-box 1.12'],
  ['Karing/1.2.0 platform/tvos sing-box 1.12.0', 'sing-box 1.12'],
  ['Karing/1.0.38 (iOS)', 'sing-box 1.12'],
  ['ClashForWindows/0.20.39', 'clash'],
  ['ClashX/1.118.0 (com.west2online.ClashX; build:1.118.0; macOS 13.0.0) Alamofire/5.6.2', 'clash'],
  ['Clash/1.9.0', 'clash'],
  ['Outline/1.14.0', 'outline'],
  ['AmneziaVPN/4.8.12', 'conf'],
  ['com.wireguard.android/1.0.20231018', 'conf'],
  ['HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box', 'base64'],
  ['Hiddify/2.0.5 (Android)', 'base64'],
  ['Happ/2.18.3/Windows/2606241603601', 'base64'],
  ['Happ/1.6.0 (iPhone; iOS 18.0)', 'base64'],
  ['v2rayNG/1.10.2', 'base64'],
  ['v2rayN/7.3.6', 'base64'],
  ['Streisand/1.6 CFNetwork/1390 Darwin/22.0.0', 'base64'],
  ['Shadowrocket/2.2.62 CFNetwork/1568 Darwin/24.1.0', 'base64'],
  ['v2raytun/5.24.76 Windows/10.0', 'base64'],
  ['V2Box 2.0.0;IOS 17.4', 'base64'],
  ['NekoBox/Android/1.3.4 (Prefer ClashMeta Format)', 'base64'],
  ['Throne/1.0.8 (Prefer ClashMeta Format)', 'base64'],
  ['INCY/2.1', 'base64'],
  ['curl/8.5.0', 'base64'],
  ['Go-http-client/2.0', 'base64'],
  ['okhttp/4.12.0', 'base64'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0',
    'base64',
  ],
  ['', 'base64'],
  [undefined, 'base64'],
])('%s is given %s', (userAgent, expected) => {
  expect(shown(asked(userAgent))).toBe(expected)
})

test.each([
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
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
