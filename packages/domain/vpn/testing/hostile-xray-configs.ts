import type { Json } from '../../text/strict-json.ts'
import { type PersonalXray, personalXray } from '../engine/personal-xray.ts'
import { hostileStreams } from './hostile-xray-streams.ts'
import { hostileKeys, hostileValues } from './hostile-xray-values.ts'

/** Texts that no customer's PATCH of an Xray config may get through; each is one step away from a good one. */

export interface HostileXrayConfig {
  readonly name: string
  readonly text: string
  /** How the path of a problem must begin. */
  readonly at: string
}

/** What the good one is made from; its target needs no permission. */
export const goodPersonalXray: PersonalXray = {
  options: ['use_extended_settings', 'enable_family_filter', 'block_bittorrent', 'use_warp'],
  listen: '0.0.0.0',
  port: 20000,
  uuid: '11111111-2222-4333-8444-555555555555',
  realityPrivateKey: 'IHCUcXyNuxSgF-t7zBWGjPkVgS8XPUe7Rjgv_C0q4mc',
  shortId: '0123456789abcdef',
  secretPath: 'f3a9c1d2',
  site: { target: 'www.example.com:443', serverName: 'www.example.com' },
  otherSite: { target: 'other.example.com:443', serverName: 'other.example.com' },
  warp: {
    privateKey: 'yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=',
    addresses: ['172.16.0.2/32', '2606:4700:110:8d8d::2/128'],
    peerPublicKey: 'bmXOC+F1FxEMF9dyiK2H5/1SUtzH0JuVo51h2wPfgyo=',
    endpoint: '162.159.192.1:2408',
    reserved: [1, 2, 3],
  },
  homeDomains: [],
  homeNetworks: [],
}

const good = personalXray(goodPersonalXray)
const goodText = JSON.stringify(good)

type Editable = { [key: string]: Editable }

/** A copy with one value set; what is missing on the way is made. */
export const edited = (path: string, value: Json): string => {
  const copy = JSON.parse(goodText) as Editable
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  const last = steps.pop() ?? ''
  let place = copy
  for (const step of steps) {
    place[step] ??= {}
    place = place[step]
  }
  Object.assign(place, { [last]: value })
  return JSON.stringify(copy)
}

const replaced = (before: string, after: string): string => goodText.replace(before, after)
const lastStep = (path: string): string => path.split('.').at(-1) ?? ''
const escaped = (name: string): string =>
  `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`
const withKey = (path: string, key: string): string => path.slice(0, -lastStep(path).length) + key

/** Each forbidden key plain, in other cases, and behind an escape. */
const ofKeys: HostileXrayConfig[] = hostileKeys.flatMap(([path, value]) => {
  const key = lastStep(path)
  const upper = withKey(path, key.toUpperCase())
  const title = withKey(path, key.slice(0, 1).toUpperCase() + key.slice(1))
  const quoted = `"${key}":`
  const plain = edited(path, value)
  return [
    { name: path, text: plain, at: path },
    { name: `${path} in capitals`, text: edited(upper, value), at: upper },
    { name: `${path} with a capital`, text: edited(title, value), at: title },
    {
      name: `${path} behind an escape`,
      text: plain.replaceAll(quoted, `"${escaped(key)}":`),
      at: path,
    },
  ]
})

const ofValues: HostileXrayConfig[] = hostileValues.flatMap(([path, values]) =>
  values.map((value) => ({
    name: `${path} = ${JSON.stringify(value)}`,
    text: edited(path, value),
    at: path,
  })),
)

const streamPath = 'inbounds[0].streamSettings'
const ofStreams: HostileXrayConfig[] = hostileStreams.map(([at, value], index) => ({
  name: `stream ${index}: ${at}`,
  text: edited(streamPath, value),
  at: `${streamPath}.${at}`,
}))

/** Each permitted key again, which Go would take for the same one and let win. */
const twins: HostileXrayConfig[] = [
  'target',
  'listen',
  'port',
  'protocol',
  'settings',
  'clients',
  'security',
  'outbounds',
  'rules',
  'servers',
].flatMap((key) => {
  const spellings = [key, key.toUpperCase(), escaped(key), escaped(key.toUpperCase()), key.replace('s', 'ſ')]
  return [...new Set(spellings)].map((spelling) => ({
    name: `${key} again as ${spelling}`,
    text: replaced(`"${key}":`, `"${spelling}":null,"${key}":`),
    at: '',
  }))
})

const bytes = 60_000
const filled = (unit: string): string => unit.repeat(Math.floor(bytes / unit.length))

const texts: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['space', ' '.repeat(bytes)],
  ['no object', '[]'],
  ['null', 'null'],
  ['a string', '"inbounds"'],
  ['an empty object', '{}'],
  ['a byte order mark', `\uFEFF${goodText}`],
  ['a line comment', replaced('{', '{// hidden\n')],
  ['a block comment', replaced('{', '{/* hidden */')],
  ['a hash comment', replaced('{', '{# hidden\n')],
  ['a key after a comment that hides it', replaced('{', '{/*"*/"api":{},/*"*/')],
  ['a trailing comma in an object', goodText.replace(/}$/, ',}')],
  ['a trailing comma in an array', replaced('],', ',],')],
  ['a second document', `${goodText}{"api":{}}`],
  ['single quotes', goodText.replaceAll('"', "'")],
  ['a bare key', replaced('"inbounds"', 'inbounds')],
  ['a NUL', replaced('www.example.com', 'www.example.com\\u0000')],
  ['a raw NUL', replaced('www.example.com', 'www.example.com\0')],
  ['a raw line break in text', replaced('www.example.com', 'www.example\n.com')],
  ['half a surrogate pair', replaced('www.example.com', '\\ud800')],
  ['half a raw surrogate pair', replaced('www.example.com', '\ud800')],
  ['an unknown escape', replaced('www.example.com', '\\x41')],
  ['__proto__', replaced('{', '{"__proto__":{"api":{}},')],
  ['__proto__ behind an escape', replaced('{', '{"\\u005f_proto__":{"api":{}},')],
  ['constructor', replaced('{', '{"constructor":{"prototype":{}},')],
  ['a number beyond doubles', replaced('20000', '1e309')],
  ['a number beyond safe integers', replaced('20000', '9007199254740993')],
  ['an octal number', replaced('20000', '020000')],
  ['a hexadecimal number', replaced('20000', '0x4e20')],
  ['NaN', replaced('20000', 'NaN')],
  ['two inbounds', edited('inbounds', [...good.inbounds, ...good.inbounds] as unknown as Json)],
  ['no inbound', edited('inbounds', [])],
  [
    'nine outbounds',
    edited(
      'outbounds',
      filledArray(9, (index) => ({ tag: `o${index}`, protocol: 'freedom' })),
    ),
  ],
  ['no outbound', edited('outbounds', [])],
  [
    '65 rules',
    edited(
      'routing.rules',
      filledArray(65, () => ({ network: 'tcp', outboundTag: 'direct' })),
    ),
  ],
  ['a rule about nothing', edited('routing.rules', [{ outboundTag: 'direct' }])],
  ['17 clients', edited('inbounds[0].settings.clients', filledArray(17, client))],
  ['two clients that Xray takes for one', edited('inbounds[0].settings.clients', [client(1), twinOfFirst()])],
  ['vision over xhttp', edited('inbounds[0].streamSettings.network', 'xhttp')],
  ['REALITY over ws', edited('inbounds[0].streamSettings.network', 'ws')],
  ['REALITY over httpupgrade', edited('inbounds[0].streamSettings.network', 'httpupgrade')],
  ['REALITY without its settings', replaced('realitySettings', 'tlsSettings')],
  ['TLS with the settings of REALITY', edited('inbounds[0].streamSettings.security', 'tls')],
  ['a tag twice', edited('outbounds[4]', { tag: 'direct', protocol: 'blackhole' })],
  ['deep arrays', filled('[')],
  ['deep objects', filled('{"a":')],
  ['17 levels', `${'['.repeat(17)}${']'.repeat(17)}`],
  ['a huge string', edited('inbounds[0].streamSettings.realitySettings.target', filled('a.'))],
  [
    'a huge name of digits',
    edited('inbounds[0].streamSettings.realitySettings.target', `${filled('1')}:443`),
  ],
  ['a huge list of ports', edited('routing.rules[0].port', `${filled('1-2,')}x`)],
  ['huge base64', edited('outbounds[3].settings.secretKey', filled('A'))],
  ['a string without an end', `"${filled('\\"')}`],
  ['many keys', `{${filled('"a":1,"b":1,')}"c":1}`],
  ['many unknown keys', `{${filledArray(6000, (index) => `"k${index}":1`).join()}}`],
  ['many unknown keys in many rules', edited('routing.rules', filledArray(64, crowded))],
  ['many minus signs', filled('-')],
  ['a long number', filled('9')],
  ['too large', edited('log.loglevel', 'x'.repeat(70_000))],
  ['too large in UTF-8', edited('log.loglevel', 'ж'.repeat(40_000))],
]

function filledArray<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index))
}

function crowded(): { [key: string]: number } {
  return Object.fromEntries(filledArray(100, (index) => [`k${index}`, 1]))
}

function client(index: number): { id: string } {
  return { id: `${String(index).padStart(8, '0')}-2222-4333-8444-55555555abcd` }
}

function twinOfFirst(): { id: string } {
  return { id: client(1).id.replace('-4333-', '-0000-').toUpperCase() }
}

export const hostileXrayConfigs: readonly HostileXrayConfig[] = [
  ...ofKeys,
  ...ofValues,
  ...ofStreams,
  ...twins,
  ...texts.map(([name, text]) => ({ name, text, at: '' })),
]

export const goodXrayConfig: string = goodText
