import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Format, formats, type Variant } from '../format.ts'
import * as samples from '../render/testing/endpoints.ts'
import { readTemplate, type TemplateKind } from '../templates/template.ts'
import { type Entry, notice } from './entry.ts'
import { renderFormat } from './render.ts'
import { everyEntry, manyServers, manyTunnels } from './testing/entries.ts'
import { titlesIn } from './testing/read-back.ts'
import { unzip } from './testing/unzip.ts'
import { mostListBytes } from './xray.ts'

const rendered = (format: Format, entries: readonly Entry[], variant?: Variant) =>
  renderFormat(format, entries, { language: 'ru', variant })

/** Spread out, so that a difference is a line. */
const readable = (format: Format, body: string | Uint8Array): string => {
  if (typeof body !== 'string')
    return unzip(body)
      .map(({ name, text }) => `=== ${name}\n${text}`)
      .join('\n')
  return ['xray', 'sing-box', 'outline'].includes(format)
    ? `${JSON.stringify(JSON.parse(body), null, 2)}\n`
    : body
}

describe('as it was recorded', () => {
  test.each<[string, Format, Variant?]>([
    ['links.txt', 'links'],
    ['xray-list.json', 'xray', 'list'],
    ['xray-single.json', 'xray', 'single'],
    ['mihomo.yaml', 'mihomo'],
    ['stash.yaml', 'stash'],
    ['clash.yaml', 'clash'],
    ['sing-box-1.11.json', 'sing-box', '1.11'],
    ['sing-box-1.12.json', 'sing-box', '1.12'],
    ['outline.json', 'outline'],
    ['conf.txt', 'conf'],
  ])('%s', async (file, format, variant) => {
    // Amnezia's link is compressed, by whichever library there is.
    const entries = format === 'links' ? everyEntry.filter(({ title }) => title !== 'amneziawg') : everyEntry
    const { body } = rendered(format, entries, variant)
    await expect(readable(format, body)).toMatchFileSnapshot(`golden/${file}`)
  })
})

test('base64 is the list of links in Base64', () => {
  const { body } = rendered('base64', everyEntry)
  expect(Buffer.from(String(body), 'base64').toString()).toBe(rendered('links', everyEntry).body)
})

test.each<[Format, string, string]>([
  ['base64', 'text/plain; charset=utf-8', 'txt'],
  ['links', 'text/plain; charset=utf-8', 'txt'],
  ['xray', 'application/json; charset=utf-8', 'json'],
  ['mihomo', 'text/yaml; charset=utf-8', 'yaml'],
  ['stash', 'text/yaml; charset=utf-8', 'yaml'],
  ['clash', 'text/yaml; charset=utf-8', 'yaml'],
  ['sing-box', 'application/json; charset=utf-8', 'json'],
  ['outline', 'application/json; charset=utf-8', 'json'],
  ['conf', 'application/zip', 'zip'],
])('%s is %s in a .%s', (format, contentType, fileExtension) => {
  expect(rendered(format, everyEntry)).toMatchObject({ contentType, fileExtension })
})

describe('what a format cannot carry is left out', () => {
  const left = (format: Format): string[] => {
    const given = rendered(format, everyEntry)
    const titles = titlesIn(format, given)
    return everyEntry.map(({ title }) => title).filter((title) => !titles.includes(title))
  }

  test.each<[Format, string[]]>([
    ['xray', ['amneziawg', 'mtproto']],
    ['mihomo', ['mtproto']],
    ['sing-box', ['vless REALITY xhttp', 'vless TLS xhttp', 'amneziawg', 'mtproto']],
    [
      'stash',
      [
        'vless REALITY xhttp',
        'vless REALITY grpc',
        'vless TLS without a name',
        'vless TLS xhttp',
        'vless TLS httpupgrade',
        'trojan REALITY',
        'amneziawg',
        'mtproto',
      ],
    ],
  ])('%s leaves out %j', (format, expected) => {
    expect(left(format)).toEqual(expected)
  })

  test('the old Clash carries little', () => {
    expect(titlesIn('clash', rendered('clash', everyEntry))).toEqual([
      'trojan TLS',
      'outline',
      'http',
      'socks5',
      'Опция: трафик израсходован',
    ])
  })

  test.each<[Format, Entry]>([
    ['xray', samples.amnezia],
    ['mihomo', samples.mtproto],
    ['stash', samples.amnezia],
    ['clash', samples.vless],
    ['sing-box', samples.amnezia],
    ['outline', samples.shadowsocks2022],
    ['conf', samples.vless],
  ])('%s says so where nothing is left', (format, entry) => {
    const says = (language: 'ru' | 'en') => titlesIn(format, renderFormat(format, [entry], { language }))
    expect(says('ru')).toEqual([
      'Это приложение не поддерживает протоколы ваших подключений: возьмите другое приложение',
    ])
    expect(says('en')).toEqual([
      'This app does not support the protocols of your connections: use another app',
    ])
  })
})

describe('notices', () => {
  const expired = notice('Подписка закончилась')

  test.each(formats)('%s says it in its own words', (format) => {
    expect(titlesIn(format, rendered(format, [expired]))).toEqual(['Подписка закончилась'])
  })

  test('Outline has an error for it, and takes a server where there is one', () => {
    expect(rendered('outline', [expired]).body).toBe('{"error":{"message":"Подписка закончилась"}}')
    expect(rendered('outline', [expired, samples.vless, samples.outline]).body).toBe(
      '{"server":"203.0.113.10","server_port":8388,"method":"chacha20-ietf-poly1305","password":"Secret0"}',
    )
  })

  test('a .conf file has a comment for it', () => {
    const { body, fileExtension } = rendered('conf', [expired])
    expect([body, fileExtension]).toEqual(['# Подписка закончилась\n', 'conf'])
    expect(rendered('conf', [samples.wireguard, expired]).body).toMatch(
      /^# Подписка закончилась\n# DE #1\n\[Interface\]\n/,
    )
  })

  test('in an archive it is a text of its own, which no app imports', () => {
    const files = unzip(rendered('conf', [samples.wireguard, expired, samples.amnezia]).body as Uint8Array)
    expect(files.map(({ name }) => name)).toEqual(['DE-1.conf', 'Podpiska-za.txt', 'DE-1-2.conf'])
  })
})

describe('templates', () => {
  const templateOf = (kind: TemplateKind, text: string) => {
    const read = readTemplate(kind, text)
    if ('problem' in read) throw new Error(read.problem)
    return read.template
  }

  test.each([
    [
      [{ tag: 'a', protocol: 'freedom' }, { tag: 'proxy' }, { tag: 'b', protocol: 'freedom' }],
      ['a', 'proxy', 'b'],
    ],
    [[{ tag: 'a', protocol: 'freedom' }], ['proxy', 'a']],
    [undefined, ['proxy']],
  ])('of Xray: among %j the entry stands as in %j', (outbounds, expected) => {
    const template = templateOf('xray', JSON.stringify({ remarks: 'mine', outbounds }))
    const { body } = renderFormat('xray', [samples.vless], { language: 'ru', template })
    const [config] = JSON.parse(String(body)) as [{ remarks: string; outbounds: { tag: string }[] }]
    expect(config.remarks).toBe('DE #1')
    expect(config.outbounds.map(({ tag }) => tag)).toEqual(expected)
  })

  test('of Xray: one config instead of a list that would repeat a long one over and over', () => {
    const domain = Array.from({ length: 20_000 }, (_, at) => `domain:${at}.example`)
    const template = { routing: { rules: [{ domain, outboundTag: 'proxy' }] } }
    const asked = (entries: readonly Entry[]) =>
      renderFormat('xray', entries, { language: 'ru', variant: 'list', template })
    const many = asked(Array.from({ length: 50 }, () => samples.vless))
    expect(many.body.length).toBeLessThan(mostListBytes)
    expect(JSON.parse(String(many.body)).outbounds).toHaveLength(50)
    expect(JSON.parse(String(asked([samples.vless, samples.trojan]).body))).toHaveLength(2)
  })

  test('of Xray in one: nothing of its own is taken for an entry, whatever it is called', () => {
    const own = [
      { tag: 'proxy' },
      { tag: 'proxy-2', protocol: 'freedom' },
      { tag: '_proxy', protocol: 'freedom' },
    ]
    const balancers = [{ tag: 'proxy', selector: ['proxy'] }]
    const template = {
      outbounds: own,
      routing: { balancers },
      observatory: { subjectSelector: ['proxy-2'], probeInterval: '5m' },
    }
    const { body } = renderFormat('xray', [samples.vless, samples.trojan], {
      language: 'ru',
      variant: 'single',
      template,
    })
    const { outbounds, routing, observatory } = JSON.parse(String(body))
    const tags: string[] = outbounds.map(({ tag }: { tag: string }) => tag)
    expect(new Set(tags).size).toBe(tags.length)
    expect(routing.balancers).toHaveLength(1)
    const [prefix] = routing.balancers[0].selector
    expect(observatory).toMatchObject({ subjectSelector: [prefix, 'proxy-2'], probeInterval: '5m' })
    const selected = outbounds.filter(({ tag }: { tag: string }) => tag.startsWith(prefix))
    expect(selected.map(({ protocol }: { protocol: string }) => protocol)).toEqual(['vless', 'trojan'])
    expect(outbounds[0]).toMatchObject({ tag: 'proxy', protocol: 'vless' })
  })

  test('of mihomo: entries before its own proxies, and their names where it wants them', () => {
    const template = templateOf(
      'mihomo',
      `
proxies: [{name: own, type: direct}]
proxy-groups:
  - {name: Все, type: select, proxies: [own, $proxies, DIRECT]}
  - {name: Own, type: select, proxies: [own]}
rules: ['MATCH,Все']`,
    )
    const { body } = renderFormat('mihomo', [samples.vless, { ...samples.trojan, title: 'own' }], {
      language: 'ru',
      template,
    })
    const text = String(body)
    expect([...text.matchAll(/- name: "(.*)"/g)].map(([, name]) => name)).toEqual([
      'DE #1',
      'own 2',
      'own',
      'Все',
      'Own',
    ])
    expect(text).toContain('proxies:\n      - "own"\n      - "DE #1"\n      - "own 2"\n      - "DIRECT"')
  })
})

describe('size', () => {
  const brotli = (body: string | Uint8Array): number =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
  const bytes = (
    [format, variant]: Delivered,
    count: number,
    compress: (body: string | Uint8Array) => number,
  ): number =>
    compress(rendered(format, format === 'conf' ? manyTunnels(count) : manyServers(count), variant).body)
  const gzip = (body: string | Uint8Array): number => gzipSync(body).length

  /** Russian networks let 16 KB through, of which the certificate takes some. */
  const most = 11_000
  type Delivered = readonly [format: Format, variant?: Variant]
  const carried = (
    [
      ['base64'],
      ['links'],
      ['xray', 'list'],
      ['xray', 'single'],
      ['mihomo'],
      ['stash'],
      ['sing-box', '1.11'],
      ['sing-box', '1.12'],
      ['conf'],
    ] as const
  ).map((delivered) => [delivered.join(' '), delivered] as const)

  test.each(carried)('ten servers fit as %s', (_name, delivered) => {
    expect(bytes(delivered, 10, brotli)).toBeLessThan(most)
    expect(bytes(delivered, 10, gzip)).toBeLessThan(most)
  })

  /** Brotli and gzip, in bytes; what a line more costs in each format. */
  const recorded: Readonly<Record<string, readonly [number, number]>> = {
    base64: [5595, 5684],
    links: [3948, 4147],
    'xray list': [4497, 4984],
    'xray single': [4518, 4791],
    mihomo: [4537, 4920],
    stash: [4446, 4826],
    'sing-box 1.11': [4550, 4899],
    'sing-box 1.12': [4539, 4885],
    conf: [6730, 7498],
  }
  test.each(carried)('fifty servers fit as %s, and take about as much as was recorded', (name, delivered) => {
    const sizes = [bytes(delivered, 50, brotli), bytes(delivered, 50, gzip)]
    for (const [at, size] of sizes.entries()) {
      expect(size).toBeLessThan(most)
      // Libraries of compression differ by a little.
      expect(size / (recorded[name]?.[at] ?? 0)).toBeCloseTo(1, 1)
    }
  })
})
