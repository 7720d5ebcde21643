import type { App, AppProtocol } from './app.ts'
import { appStore, github, googlePlay } from './stores.ts'

/** Apps that read a profile of their engine: sing-box and the descendants of Clash. */

const checkedOn = '2026-11-16'
const singBoxCarries: readonly AppProtocol[] = [
  ...(['vless', 'trojan', 'shadowsocks', 'outline', 'hysteria2', 'wireguard', 'http', 'socks5'] as const),
]
const mihomoCarries: readonly AppProtocol[] = [...singBoxCarries, 'amneziawg']

export const singBox: App = {
  id: 'sing-box',
  name: 'sing-box',
  platforms: ['ios', 'android', 'macos', 'tv'],
  stores: [
    appStore(6673731168, ['ios', 'macos', 'tv']),
    googlePlay('io.nekohasekai.sfa', ['android']),
    github('SagerNet/sing-box', ['android', 'macos']),
  ],
  importTemplate: 'sing-box://import-remote-profile?url={encodedUrl}#{name}',
  formats: ['sing-box'],
  protocols: singBoxCarries,
  hwid: 'never',
  checkedOn,
}

export const karing: App = {
  id: 'karing',
  name: 'Karing',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux', 'tv'],
  stores: [appStore(6472431552, ['ios']), github('KaringX/karing', ['android', 'windows', 'macos', 'linux'])],
  importTemplate: 'karing://install-config?name={name}&hwid=true&url={encodedUrl}',
  formats: ['sing-box'],
  protocols: singBoxCarries,
  hwid: 'by_link',
  checkedOn,
}

export const throne: App = {
  id: 'throne',
  name: 'Throne',
  platforms: ['windows', 'macos', 'linux'],
  stores: [github('throneproj/Throne', ['windows', 'macos', 'linux'])],
  importTemplate: 'throne://addsub/?url={encodedUrl}&name={name}',
  formats: ['base64', 'sing-box'],
  protocols: singBoxCarries,
  hwid: 'switch',
  checkedOn,
}

export const clashVerge: App = {
  id: 'clash-verge',
  name: 'Clash Verge Rev',
  platforms: ['windows', 'macos', 'linux'],
  stores: [github('clash-verge-rev/clash-verge-rev', ['windows', 'macos', 'linux'])],
  // It takes everything after "url=" for the address, so that must come last.
  importTemplate: 'clash-verge://install-config?name={name}&url={encodedUrl}',
  formats: ['mihomo'],
  protocols: mihomoCarries,
  hwid: 'never',
  checkedOn,
}

export const clashMeta: App = {
  id: 'clash-meta',
  name: 'Clash Meta for Android',
  platforms: ['android'],
  stores: [github('MetaCubeX/ClashMetaForAndroid', ['android'])],
  importTemplate: 'clashmeta://install-config?name={name}&url={encodedUrl}',
  formats: ['mihomo'],
  protocols: mihomoCarries,
  hwid: 'never',
  checkedOn,
}

export const flClash: App = {
  id: 'flclash',
  name: 'FlClash',
  platforms: ['android', 'windows', 'macos'],
  stores: [github('chen08209/FlClash', ['android', 'windows', 'macos'])],
  importTemplate: 'flclash://install-config?url={encodedUrl}',
  formats: ['mihomo'],
  protocols: mihomoCarries,
  hwid: 'never',
  checkedOn,
}

export const flClashX: App = {
  ...flClash,
  id: 'flclashx',
  name: 'FlClashX',
  stores: [github('pluralplay/FlClashX', ['android', 'windows', 'macos'])],
  importTemplate: 'flclashx://install-config?url={encodedUrl}',
  hwid: 'always',
}

export const koalaClash: App = {
  ...clashVerge,
  id: 'koala-clash',
  name: 'Koala Clash',
  stores: [github('coolcoala/clash-verge-rev-lite', ['windows', 'macos', 'linux'])],
  importTemplate: 'koala-clash://install-config?url={encodedUrl}',
  hwid: 'always',
}

export const prizrakBox: App = {
  ...clashVerge,
  id: 'prizrak-box',
  name: 'Prizrak-Box',
  stores: [github('legiz-ru/Prizrak-Box', ['windows', 'macos', 'linux'])],
  importTemplate: 'prizrak-box://install-config?url={encodedUrl}',
  hwid: 'always',
}

export const stash: App = {
  id: 'stash',
  name: 'Stash',
  platforms: ['ios'],
  stores: [appStore(1596063349, ['ios'])],
  importTemplate: 'stash://install-config?url={encodedUrl}',
  formats: ['stash'],
  protocols: singBoxCarries,
  hwid: 'never',
  checkedOn,
}
