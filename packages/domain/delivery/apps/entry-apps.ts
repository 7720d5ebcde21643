import type { App } from './app.ts'
import { appStore, github, googlePlay, website } from './stores.ts'

/** Apps that know no subscriptions and take entries one by one: as a file, a code or a link. */

const checkedOn = '2026-11-16'

export const amneziaVpn: App = {
  id: 'amnezia-vpn',
  name: 'AmneziaVPN',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux'],
  stores: [
    appStore(1600529900, ['ios']),
    googlePlay('org.amnezia.vpn', ['android']),
    github('amnezia-vpn/amnezia-client', ['android', 'windows', 'macos', 'linux']),
  ],
  importTemplate: null,
  opens: { scheme: 'vpn', platforms: ['android'] },
  formats: ['conf'],
  protocols: ['amneziawg', 'wireguard'],
  hwid: 'never',
  checkedOn,
}

export const amneziaWg: App = {
  id: 'amneziawg',
  name: 'AmneziaWG',
  platforms: ['ios', 'android', 'windows', 'macos'],
  stores: [
    appStore(6478942365, ['ios', 'macos']),
    googlePlay('org.amnezia.awg', ['android']),
    github('amnezia-vpn/amneziawg-windows-client', ['windows']),
  ],
  importTemplate: null,
  formats: ['conf'],
  protocols: ['amneziawg', 'wireguard'],
  hwid: 'never',
  checkedOn,
}

const wireguardTeam = { publisher: 'WireGuard Development Team' }

export const wireguard: App = {
  id: 'wireguard',
  name: 'WireGuard',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux'],
  stores: [
    appStore(1441195209, ['ios'], wireguardTeam),
    appStore(1451685025, ['macos'], wireguardTeam),
    googlePlay('com.wireguard.android', ['android'], wireguardTeam),
    website('https://www.wireguard.com/install/', ['windows', 'linux']),
  ],
  importTemplate: null,
  formats: ['conf'],
  protocols: ['wireguard'],
  hwid: 'never',
  checkedOn,
}

export const outline: App = {
  id: 'outline',
  name: 'Outline',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux'],
  stores: [
    appStore(1356177741, ['ios']),
    appStore(1356178125, ['macos']),
    googlePlay('org.outline.android.client', ['android']),
    website('https://getoutline.org/', ['windows', 'linux']),
  ],
  importTemplate: null,
  opens: { scheme: 'ss', platforms: ['ios', 'android', 'windows', 'macos', 'linux'] },
  formats: ['outline'],
  protocols: ['outline'],
  hwid: 'never',
  checkedOn,
}

export const telegram: App = {
  id: 'telegram',
  name: 'Telegram',
  platforms: ['ios', 'android', 'windows', 'macos', 'linux'],
  stores: [website('https://telegram.org/apps', ['ios', 'android', 'windows', 'macos', 'linux'])],
  importTemplate: null,
  opens: { scheme: 'tg', platforms: ['ios', 'android', 'windows', 'macos', 'linux'] },
  formats: ['links'],
  protocols: ['mtproto', 'socks5'],
  hwid: 'never',
  checkedOn,
}
