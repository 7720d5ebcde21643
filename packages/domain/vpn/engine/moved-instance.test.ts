import type { SwitchName } from '@sallyport/contract/shapes'
import { describe, expect, test } from 'vitest'
import { type InstanceHome, movedInstance } from './moved-instance.ts'
import { type PersonalXray, personalXray } from './personal-xray.ts'
import type { XrayInstance, XrayRule } from './xray-json.ts'

const key = (letter: string): string => letter.repeat(43)

const warp = {
  privateKey: 'd2FycA==',
  addresses: ['172.16.0.2/32'],
  peerPublicKey: 'cGVlcg==',
  endpoint: '162.159.192.1:2408',
  reserved: [1, 2, 3],
}

const homeOf = (name: 'old' | 'new', options: readonly SwitchName[], homeDomains: string[]): InstanceHome => {
  const isOld = name === 'old'
  const sites = [
    { target: `${name}.example:443`, serverName: `${name}.example` },
    { target: `other-${name}.example:443`, serverName: `other-${name}.example` },
  ] as const
  const personal: PersonalXray = {
    options,
    listen: isOld ? '10.0.0.1' : '10.0.0.2',
    port: isOld ? 20_001 : 20_002,
    uuid: `${isOld ? 'a' : 'b'}0000000-0000-4000-8000-000000000000`,
    realityPrivateKey: key(isOld ? 'A' : 'B'),
    shortId: isOld ? 'aaaaaaaaaaaaaaaa' : 'bbbbbbbbbbbbbbbb',
    secretPath: isOld ? 'path-of-old' : 'path-of-new',
    site: sites[0],
    otherSite: sites[1],
    warp,
    homeDomains,
    homeNetworks: homeDomains.length > 0 ? ['198.51.100.0/24'] : [],
  }
  return { generated: personalXray(personal), sites, tlsName: `${name}.servers.example` }
}

type Draft = { -readonly [K in keyof XrayInstance]: XrayInstance[K] }
// biome-ignore lint/suspicious/noExplicitAny: edits reach anywhere into the JSON, as customers do.
type Edit = (instance: Draft & any) => void

interface Row {
  readonly options?: readonly SwitchName[]
  readonly homes?: readonly [string[], string[]]
  /** What the customer changed on the old server. */
  readonly edit: Edit
  /** What differs from the new server's own JSON afterwards. */
  readonly stays?: Edit
}

const rule: XrayRule = { domain: ['domain:mine.example'], outboundTag: 'block' }

const rows: Record<string, Row> = {
  'nothing was changed': { edit: () => {} },
  'nothing was changed, XHTTP': { options: ['use_xhttp'], edit: () => {} },
  'nothing was changed, gRPC and WARP': { options: ['use_grpc', 'use_warp'], edit: () => {} },
  'nothing was changed, another site': { options: ['change_sni'], edit: () => {} },
  'nothing was changed, TLS': { options: ['disable_reality'], edit: () => {} },
  'nothing was changed, no name': { options: ['disable_sni'], edit: () => {} },
  'nothing was changed, into a country with addresses of its own': {
    homes: [[], ['ru']],
    edit: () => {},
  },
  'the site that the options do not use': {
    edit: ({ inbounds: [{ streamSettings }] }) => {
      const { realitySettings } = streamSettings
      realitySettings.target = 'other-old.example:443'
      realitySettings.serverNames = ['other-old.example', 'mine.example']
    },
    stays: ({ inbounds: [{ streamSettings }] }) => {
      const { realitySettings } = streamSettings
      realitySettings.target = 'other-new.example:443'
      realitySettings.serverNames = ['other-new.example', 'mine.example']
    },
  },
  'a key, a site and an identifier of their own': {
    edit: ({ inbounds: [{ settings, streamSettings }] }) => {
      streamSettings.realitySettings.privateKey = key('C')
      streamSettings.realitySettings.target = 'mine.example:443'
      streamSettings.realitySettings.serverNames = ['mine.example', 'old.example']
      settings.clients.push({ id: 'c0000000-0000-4000-8000-000000000000' })
    },
    stays: ({ inbounds: [{ settings, streamSettings }] }) => {
      streamSettings.realitySettings.privateKey = key('C')
      streamSettings.realitySettings.target = 'mine.example:443'
      streamSettings.realitySettings.serverNames = ['mine.example', 'old.example']
      settings.clients.push({ id: 'c0000000-0000-4000-8000-000000000000' })
    },
  },
  'a path and short ids of their own': {
    options: ['use_xhttp'],
    edit: ({ inbounds: [{ streamSettings }] }) => {
      streamSettings.xhttpSettings.path = '/mine'
      streamSettings.realitySettings.shortIds = ['cc', 'aaaaaaaaaaaaaaaa']
    },
    stays: ({ inbounds: [{ streamSettings }] }) => {
      streamSettings.xhttpSettings.path = '/mine'
      streamSettings.realitySettings.shortIds = ['cc', 'bbbbbbbbbbbbbbbb']
    },
  },
  'another transport without a path': {
    edit: ({ inbounds: [{ streamSettings }] }) => {
      streamSettings.network = 'xhttp'
      streamSettings.xhttpSettings = { mode: 'stream-one' }
    },
    stays: ({ inbounds: [{ streamSettings }] }) => {
      streamSettings.network = 'xhttp'
      streamSettings.xhttpSettings = { mode: 'stream-one' }
    },
  },
  "the name of the server's certificate": {
    options: ['disable_reality'],
    edit: ({ inbounds: [{ streamSettings }] }) => {
      streamSettings.tlsSettings.serverName = 'old.servers.example'
    },
    stays: ({ inbounds: [{ streamSettings }] }) => {
      streamSettings.tlsSettings.serverName = 'new.servers.example'
    },
  },
  'a certificate of their own': {
    options: ['disable_reality'],
    edit: ({ inbounds: [{ streamSettings }] }) => {
      const certificates = [{ certificate: ['c'], key: ['k'] }]
      streamSettings.tlsSettings = { serverName: 'old.servers.example', certificates }
    },
    stays: ({ inbounds: [{ streamSettings }] }) => {
      const certificates = [{ certificate: ['c'], key: ['k'] }]
      streamSettings.tlsSettings = { serverName: 'old.servers.example', certificates }
    },
  },
  'outbounds, rules and resolver of their own': {
    options: ['use_warp'],
    edit: (instance) => {
      instance.dns = { servers: ['9.9.9.9'] }
      instance.outbounds.push({ tag: 'mine', protocol: 'socks', settings: { servers: [] } })
      instance.routing.rules.unshift(rule)
    },
    stays: (instance) => {
      instance.dns = { servers: ['9.9.9.9'] }
      instance.outbounds.push({ tag: 'mine', protocol: 'socks', settings: { servers: [] } })
      instance.routing.rules.unshift(rule)
    },
  },
  'rules of their own, out of a country with addresses of its own': {
    homes: [['ru'], []],
    edit: ({ routing }) => routing.rules.unshift(rule),
    stays: ({ routing }) => routing.rules.unshift(rule),
  },
  'rules of their own, into another country with addresses of its own': {
    homes: [['ru'], ['am']],
    edit: ({ routing }) => routing.rules.push(rule),
    stays: ({ routing }) => routing.rules.push(rule),
  },
  'a rule of the country taken away': {
    homes: [['ru'], ['ru']],
    edit: ({ routing }) => routing.rules.shift(),
    stays: ({ routing }) => routing.rules.shift(),
  },
}

const edited = (instance: XrayInstance, edit: Edit): XrayInstance => {
  const draft = structuredClone(instance) as Draft
  edit(draft)
  return draft
}

describe('an edited instance on another server', () => {
  test.each(Object.entries(rows))('%s', (_what, {
    options = [],
    homes = [[], []],
    edit,
    stays = () => {},
  }) => {
    const [from, to] = [homeOf('old', options, homes[0]), homeOf('new', options, homes[1])]
    const moved = movedInstance(edited(from.generated, edit), from, to)
    expect(moved).toEqual(edited(to.generated, stays))
  })

  test('there and back again is what it was', () => {
    for (const { options = [], homes = [[], []], edit } of Object.values(rows)) {
      if (homes[0].length !== homes[1].length) continue
      const [from, to] = [homeOf('old', options, homes[0]), homeOf('new', options, homes[1])]
      const instance = edited(from.generated, edit)
      expect(movedInstance(movedInstance(instance, from, to), to, from)).toEqual(instance)
    }
  })
})
