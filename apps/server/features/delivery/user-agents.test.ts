import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 10_000 })
  for (const protocol of protocols) await service.buy(user, { protocol })
})
afterAll(() => service.stop())

/** How each kind of answer begins: what is said of it, and what it is. */
const kinds = {
  base64: ['text/plain; charset=utf-8', /^[A-Za-z0-9+/]+=*$/],
  mihomo: ['text/yaml; charset=utf-8', /"?type"?: "?vless/],
  stash: ['text/yaml; charset=utf-8', /server-cert-fingerprint/],
  clash: ['text/yaml; charset=utf-8', /^(?![\s\S]*vless)[\s\S]*type: "ss"/],
  'sing-box 1.11': ['application/json; charset=utf-8', /"dns":\{"servers":\[\{[^}]*"address":/],
  'sing-box 1.12': ['application/json; charset=utf-8', /"dns":\{"servers":\[\{[^}]*"type":/],
  outline: ['application/json; charset=utf-8', /^\{"server":"[^"]+","server_port":\d+,"method":/],
  conf: ['application/zip', /^PK/],
  page: ['text/html; charset=utf-8', /^<!doctype html>/],
} as const
type Kind = keyof typeof kinds

const expectKind = async (headers: Record<string, string>, kind: Kind): Promise<void> => {
  const answer = await fetch(`${service.running.url}/sub/${user.subscription_key}`, { headers })
  const [type, beginning] = kinds[kind]
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
  expect(await answer.text()).toMatch(beginning)
}

test.each<[string, Kind]>([
  ['FlClash/v0.8.33  clash-verge/v1.6.6  Platform/android', 'mihomo'],
  ['FlClash X/v0.3.1 Platform/android', 'mihomo'],
  ['mihomo/1.19.27', 'mihomo'],
  ['mihomo.party/v1.7.6 (clash.meta)', 'mihomo'],
  ['clash-verge/v2.4.2', 'mihomo'],
  ['clash-nyanpasu/v1.6.1', 'mihomo'],
  ['ClashMetaForAndroid/2.11.1.Meta', 'mihomo'],
  ['ClashX Meta/v1.4.24 (com.metacubex.ClashX.meta; build:622; macOS 26.0.0) Alamofire/5.10.2', 'mihomo'],
  ['Koala-Clash/1.4.0', 'mihomo'],
  ['prizrak-box/1.2.0', 'mihomo'],
  ['Stash/3.1.1 Clash/1.9.0', 'stash'],
  ['SFA/1.11.4 (440; sing-box 1.11.4; language ru_RU)', 'sing-box 1.11'],
  ['SFA/1.12.14 (595; sing-box 1.12.14; language zh_CN)', 'sing-box 1.12'],
  ['SFI/1.12.2 (Build 2; sing-box 1.11.4; language zh_CN)', 'sing-box 1.11'],
  ['SFM/1.12.9 (Build 1; sing-box 1.12.12; language zh_CN)', 'sing-box 1.12'],
  ['SFT/1.13.0-beta.2', 'sing-box 1.12'],
  ['sing-box/1.8.0', 'sing-box 1.11'],
  ['Karing/1.2.0 platform/tvos sing-box 1.12.0', 'sing-box 1.12'],
  ['ClashForWindows/0.20.39', 'clash'],
  ['ClashX/1.118.0 (com.west2online.ClashX; build:1.118.0; macOS 13.0.0) Alamofire/5.6.2', 'clash'],
  ['Outline/1.14.0', 'outline'],
  ['AmneziaVPN/4.8.12', 'conf'],
  ['com.wireguard.android/1.0.20231018', 'conf'],
  ['HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box', 'base64'],
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
])('%s is given %s', (userAgent, kind) => expectKind({ 'user-agent': userAgent, accept: '*/*' }, kind))

test.each([
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
])('%s is given the page', (userAgent) =>
  expectKind({ 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, 'page'))
