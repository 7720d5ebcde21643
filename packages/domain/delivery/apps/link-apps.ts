import type { App, AppProtocol } from './app.ts'
import { appStore, github, googlePlay, website } from './stores.ts'

/** Apps that read a list of links. */

const checkedOn = '2026-11-16'
const basic: readonly AppProtocol[] = ['vless', 'trojan', 'shadowsocks', 'outline']
const withSocks: readonly AppProtocol[] = [...basic, 'socks5']
const many: readonly AppProtocol[] = [...withSocks, 'hysteria2', 'wireguard']

export const happ: App = {
  id: 'happ',
  name: 'Happ',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux', 'tv'],
  stores: [
    // Removed from the Russian store again and again; the publisher's own list says which listing stands there now.
    appStore(6799917773, ['ios'], { region: 'ru' }),
    appStore(6504287215, ['ios', 'macos', 'tv'], { region: 'abroad', publisher: 'Flyfrog LLC' }),
    googlePlay('com.happproxy', ['android', 'tv']),
    github('Happ-proxy/happ-android', ['android']),
    github('Happ-proxy/happ-desktop', ['windows', 'macos', 'linux']),
  ],
  importTemplate: 'happ://add/{url}',
  formats: ['base64', 'xray'],
  protocols: withSocks,
  hwid: 'always',
  checkedOn,
}

export const incy: App = {
  id: 'incy',
  name: 'INCY',
  platforms: ['ios', 'android', 'macos'],
  stores: [
    appStore(6756943388, ['ios', 'macos'], { publisher: 'LLC ITDEV' }),
    googlePlay('llc.itdev.incy', ['android']),
    github('INCY-DEV/incy-platforms', ['android', 'macos']),
  ],
  importTemplate: 'incy://add/{url}',
  formats: ['base64', 'xray'],
  protocols: basic,
  hwid: 'always',
  checkedOn,
}

export const v2raytun: App = {
  id: 'v2raytun',
  name: 'v2RayTun',
  platforms: ['ios', 'android', 'windows'],
  stores: [
    appStore(6476628951, ['ios']),
    googlePlay('com.v2raytun.android', ['android']),
    website('https://v2raytun.com/', ['windows']),
  ],
  importTemplate: 'v2raytun://import/{url}',
  formats: ['base64'],
  protocols: withSocks,
  hwid: 'always',
  checkedOn,
}

export const v2rayng: App = {
  id: 'v2rayng',
  name: 'v2rayNG',
  platforms: ['android'],
  stores: [github('2dust/v2rayNG', ['android'])],
  // The name belongs into the fragment: a parameter of that name is ignored.
  importTemplate: 'v2rayng://install-sub?url={encodedUrl}#{name}',
  formats: ['base64', 'xray'],
  protocols: [...many, 'http'],
  hwid: 'never',
  checkedOn,
}

export const hiddify: App = {
  id: 'hiddify',
  name: 'Hiddify',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux'],
  stores: [
    appStore(6596777532, ['ios']),
    googlePlay('app.hiddify.com', ['android']),
    github('hiddify/hiddify-app', ['android', 'windows', 'macos', 'linux']),
  ],
  importTemplate: 'hiddify://import/{url}#{name}',
  formats: ['base64', 'sing-box'],
  protocols: [...many, 'http'],
  hwid: 'never',
  checkedOn,
}

export const streisand: App = {
  id: 'streisand',
  name: 'Streisand',
  platforms: ['ios', 'macos'],
  stores: [appStore(6450534064, ['ios', 'macos'])],
  importTemplate: 'streisand://import/{url}',
  formats: ['base64', 'xray'],
  protocols: many,
  hwid: 'never',
  checkedOn,
}

export const shadowrocket: App = {
  id: 'shadowrocket',
  name: 'Shadowrocket',
  platforms: ['ios', 'tv'],
  stores: [appStore(932747118, ['ios', 'tv'], { publisher: 'Shadow Launch Technology Limited' })],
  importTemplate: 'shadowrocket://add/sub://{base64Url}?remark={name}',
  formats: ['base64'],
  protocols: [...many, 'http'],
  hwid: 'switch',
  checkedOn,
}

export const exclave: App = {
  id: 'exclave',
  name: 'Exclave',
  platforms: ['android'],
  stores: [github('dyhkwong/Exclave', ['android'])],
  importTemplate: 'exclave://subscription?url={encodedUrl}',
  formats: ['base64'],
  protocols: [...many, 'http'],
  hwid: 'never',
  checkedOn,
}

export const v2box: App = {
  id: 'v2box',
  name: 'V2Box',
  platforms: ['ios', 'android', 'macos'],
  stores: [appStore(6446814690, ['ios', 'macos']), googlePlay('dev.hexasoftware.v2box', ['android'])],
  importTemplate: 'v2box://install-sub?url={encodedUrl}&name={name}',
  formats: ['base64', 'xray'],
  protocols: withSocks,
  hwid: 'never',
  checkedOn,
}
