import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { JsonObject } from '../../text/strict-json.ts'
import { defaultTemplate, maxTemplateBytes, problemOf, readTemplate, templateKinds } from './template.ts'

const written = (kind: (typeof templateKinds)[number], template: JsonObject): string =>
  ['mihomo', 'stash', 'clash'].includes(kind) ? stringify(template) : JSON.stringify(template)

test.each(templateKinds)('our own for %s is one that may be given back', (kind) => {
  expect(problemOf(kind, written(kind, defaultTemplate(kind)))).toBeNull()
})

test.each(templateKinds)('of %s: too much, no object, nothing at all', (kind) => {
  expect(problemOf(kind, ' '.repeat(maxTemplateBytes + 1))).toBe('must be at most 524288 bytes')
  expect(problemOf(kind, 'Ж'.repeat(maxTemplateBytes / 2 + 1))).toBe('must be at most 524288 bytes')
  expect(problemOf(kind, '[1]')).toMatch(/^must be a (mapping|JSON object)$/)
  expect(problemOf(kind, '"text"')).toMatch(/^must be a (mapping|JSON object)$/)
  expect(problemOf(kind, '')).not.toBeNull()
  expect(problemOf(kind, '{"a": 1,')).not.toBeNull()
})

test.each<[string, unknown, string | null]>([
  ['nothing besides', {}, null],
  ['geo files that apps bring', { routing: { rules: [{ ip: ['geoip:ru'], outboundTag: 'proxy' }] } }, null],
  [
    'a path of HTTP',
    { outbounds: [{ protocol: 'vless', streamSettings: { wsSettings: { path: '/x' } } }] },
    null,
  ],
  ['no log', { log: { access: 'none', error: '' } }, null],
  ['an unknown name', { api: { tag: 'api' } }, "api: is not part of a client's config, remove it"],
  ['a list of a wrong kind', { outbounds: {} }, 'outbounds: must be a list'],
  ['an outbound that is none', { outbounds: ['proxy'] }, 'outbounds[0]: must be an object'],
  ['an outbound without protocol', { outbounds: [{ tag: 'a' }] }, 'outbounds[0]: needs a protocol'],
  ['an inbound without protocol', { inbounds: [{ tag: 'proxy' }] }, 'inbounds[0]: needs a protocol'],
  ['routing of a wrong kind', { routing: [] }, 'routing: must be an object'],
  ['rules of a wrong kind', { routing: { rules: 'all' } }, 'routing.rules: must be a list'],
  [
    'a rule that leads nowhere',
    { routing: { rules: [{ outboundTag: 'direct' }] } },
    'routing.rules[0].outboundTag: there is no such outbound',
  ],
  [
    'a balancer that is not there',
    { routing: { rules: [{ balancerTag: 'b' }] } },
    'routing.rules[0].balancerTag: there is no such balancer',
  ],
  [
    'a tag twice',
    {
      outbounds: [
        { tag: 'a', protocol: 'freedom' },
        { tag: 'a', protocol: 'blackhole' },
      ],
    },
    'outbounds: "a" stands there twice',
  ],
  [
    'a log file',
    { log: { access: '/var/log/x' } },
    'log.access: files of the device must not be named, remove it',
  ],
  [
    'a certificate of the device',
    {
      outbounds: [
        { protocol: 'vless', streamSettings: { tlsSettings: { certificates: [{ certificateFile: '/c' }] } } },
      ],
    },
    'outbounds[0].streamSettings.tlsSettings.certificates[0].certificateFile: files of the device must not be named, remove it',
  ],
  [
    'keys written down',
    { outbounds: [{ protocol: 'vless', streamSettings: { tlsSettings: { masterKeyLog: 'k' } } }] },
    'outbounds[0].streamSettings.tlsSettings.masterKeyLog: files of the device must not be named, remove it',
  ],
  [
    'a list in a file',
    { routing: { rules: [{ domain: ['ext:my.dat:ads'], outboundTag: 'proxy' }] } },
    'routing.rules[0].domain[0]: files of the device must not be named, remove it',
  ],
  [
    'a log file in other letters',
    { log: { ACCEſS: '/var/log/x' } },
    'log["ACCEſS"]: files of the device must not be named, remove it',
  ],
  [
    'keys written down, in other letters',
    { outbounds: [{ protocol: 'vless', streamSettings: { tlsSettings: { MaſterKeyLog: 'k' } } }] },
    'outbounds[0].streamSettings.tlsSettings["MaſterKeyLog"]: files of the device must not be named, remove it',
  ],
  [
    'a list in a file among others in one text',
    { routing: { rules: [{ domain: 'example.com,ext:my.dat:ads', outboundTag: 'proxy' }] } },
    'routing.rules[0].domain: files of the device must not be named, remove it',
  ],
  [
    'hosts of a list in a file',
    { dns: { hosts: { 'ext:my.dat:ads': '127.0.0.1' } } },
    'dns.hosts["ext:my.dat:ads"]: files of the device must not be named, remove it',
  ],
  [
    'a folder to show to strangers',
    {
      inbounds: [
        {
          protocol: 'hysteria',
          streamSettings: { hysteriaSettings: { masquerade: { type: 'file', dir: '/' } } },
        },
      ],
    },
    'inbounds[0].streamSettings.hysteriaSettings.masquerade.dir: files of the device must not be named, remove it',
  ],
  [
    'a socket to fall back to',
    { inbounds: [{ protocol: 'vless', settings: { fallbacks: [{ dest: '@x' }] } }] },
    'inbounds[0].settings.fallbacks[0].dest: files of the device must not be named, remove it',
  ],
  [
    'a socket among the files',
    { inbounds: [{ protocol: 'socks', listen: '/run/x.sock' }] },
    'inbounds[0].listen: files of the device must not be named, remove it',
  ],
])('of Xray: %s', (_what, template, problem) => {
  expect(problemOf('xray', JSON.stringify(template))).toBe(problem)
})

const expressions = (count: number, expression: string) => ({
  routing: { rules: [{ outboundTag: 'proxy', domain: Array(count).fill(`regexp:${expression}`) }] },
})

test.each<[string, unknown, boolean]>([
  ['a thousand of the usual kind', expressions(1000, '^(.+\\.)?ads?[0-9]{1,3}\\.example\\.com$'), true],
  ['one for any name of a host', expressions(1, '^[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63})+$'), true],
  ['a hundred that repeat', expressions(100, '(x{900}|y{900}|z{900})'), false],
  ['repetitions of repetitions', expressions(40, '((x{30}){30})'), false],
  ['classes of Unicode', expressions(100, '\\pL\\p{Cyrillic}'.repeat(30)), false],
  ['hosts', { dns: { hosts: { [`regexp:${'x{999}'.repeat(50)}`]: '192.0.2.1' } } }, false],
  ['what rules ask of headers', { routing: { rules: [{ attrs: { ':path': 'x{999}'.repeat(50) } }] } }, false],
  ['several in one text', { routing: { rules: [{ domain: `a.org,REGEXP:${'x{999}'.repeat(50)}` }] } }, false],
  ['what only looks like one', { remarks: `my regexp:${'x{999}'.repeat(50)}` }, true],
])('of Xray, regular expressions: %s', (_what, template, isTaken) => {
  const problem = problemOf('xray', JSON.stringify(template))
  if (isTaken) expect(problem).toBeNull()
  else expect(problem).toMatch(/: regular expressions are too much here/)
})

test('what JSON lists is bounded by its bytes alone', () => {
  const hosts = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`h${n}.example`, '192.0.2.1']))
  expect(problemOf('xray', JSON.stringify({ dns: { hosts } }))).toBeNull()
  const zeros = Array(200_000).fill('0').join()
  expect(problemOf('xray', `{"remarks":[${zeros}]}`)).toBeNull()
})

test.each([
  ['{"log": {}, "LOG": {}}', /^LOG: the name stands twice/],
  ['{"log": {} // comment\n}', /comments are not accepted/],
  [`{"dns": ${'['.repeat(100)}`, /nest at most 16 levels/],
  ['{"__proto__": {}}', /not accepted/],
])('of Xray: %s is no strict JSON', (text, problem) => {
  expect(problemOf('xray', text)).toMatch(problem)
})

const group = { name: 'G', type: 'select', proxies: ['$proxies'] }

test.each<[string, unknown, string | null]>([
  ['a group and no rules', { 'proxy-groups': [group] }, null],
  [
    'rules of every kind',
    {
      'proxy-groups': [group],
      rules: [
        'DOMAIN-SUFFIX,ru,DIRECT',
        'IP-CIDR,10.0.0.0/8,DIRECT,no-resolve',
        'AND,((NETWORK,UDP),(DST-PORT,443)),REJECT',
        'MATCH, G',
      ],
    },
    null,
  ],
  [
    'a provider in its own folder',
    { 'proxy-groups': [group], 'rule-providers': { a: { path: './a.mrs' } } },
    null,
  ],
  ['no group at all', {}, 'proxy-groups: one of them must have $proxies among its proxies'],
  [
    'nowhere to put entries',
    { 'proxy-groups': [{ ...group, proxies: ['DIRECT'] }] },
    'proxy-groups: one of them must have $proxies among its proxies',
  ],
  ['groups of a wrong kind', { 'proxy-groups': { G: group } }, 'proxy-groups: must be a list'],
  [
    'a group without a type',
    { 'proxy-groups': [group, { name: 'H' }] },
    'proxy-groups[1]: needs a name and a type',
  ],
  ['a name twice', { 'proxy-groups': [group, group] }, 'proxy-groups: "G" stands there twice'],
  [
    'a group of strangers',
    { 'proxy-groups': [{ ...group, proxies: ['$proxies', 'x'] }] },
    'proxy-groups[0].proxies: there is no proxy or group "x"',
  ],
  [
    'a rule that leads nowhere',
    { 'proxy-groups': [group], rules: ['MATCH,X'] },
    'rules[0]: there is no proxy or group "X"',
  ],
  ['rules of a wrong kind', { 'proxy-groups': [group], rules: 'MATCH,G' }, 'rules: must be a list'],
  ['a rule that is no text', { 'proxy-groups': [group], rules: [7] }, 'rules[0]: must be a text'],
  ['DNS of a wrong kind', { 'proxy-groups': [group], dns: [] }, 'dns: must be an object'],
  [
    'a provider anywhere',
    { 'proxy-groups': [group], 'rule-providers': { a: { path: './../../etc/passwd' } } },
    'rule-providers.a.path: files of the device must not be named, remove it',
  ],
  [
    'a provider at the root',
    { 'proxy-groups': [group], 'proxy-providers': { a: { path: 'C:\\x' } } },
    'proxy-providers.a.path: files of the device must not be named, remove it',
  ],
  ['pages in its own folder', { 'proxy-groups': [group], 'external-ui': 'ui' }, null],
  [
    'pages from anywhere',
    { 'proxy-groups': [group], 'external-ui': '../../home' },
    'external-ui: files of the device must not be named, remove it',
  ],
  [
    'a socket among the files',
    { 'proxy-groups': [group], 'external-controller-unix': '/run/x.sock' },
    'external-controller-unix: files of the device must not be named, remove it',
  ],
])('of Clash and its kin: %s', (_what, template, problem) => {
  for (const kind of ['mihomo', 'stash', 'clash'] as const) {
    expect(problemOf(kind, stringify(template))).toBe(problem)
  }
})

test('YAML may have anchors, but not such as explode', () => {
  const merged = 'base: &b {type: select}\nproxy-groups: [{<<: *b, name: G, proxies: [$proxies]}]\n'
  expect(problemOf('mihomo', merged)).toBeNull()
  const laughs = Array.from(
    { length: 12 },
    (_, at) => `l${at}: &l${at} [${`*l${at - 1},`.repeat(at === 0 ? 0 : 9)} x]`,
  )
  expect(problemOf('mihomo', laughs.join('\n'))).toBe(
    'Excessive alias count indicates a resource exhaustion attack',
  )
  expect(problemOf('mihomo', 'a: 1\na: 2')).toBe('Map keys must be unique at line 2, column 1')
  expect(problemOf('mihomo', '['.repeat(100_000))).not.toBeNull()
})

test('YAML may nest and refer to itself no further than JSON', () => {
  const groups = 'proxy-groups: [{type: select, name: G, proxies: [$proxies]}]\n'
  const deep = (levels: number) => `${groups}x: ${'['.repeat(levels)}${']'.repeat(levels)}`
  expect(problemOf('mihomo', deep(15))).toBeNull()
  expect(problemOf('mihomo', deep(16))).toBe('nest at most 16 levels')
  expect(problemOf('mihomo', `${groups}x: &a [*a]`)).toBe('nest at most 16 levels')
  expect(problemOf('mihomo', `${groups}x: &a [*a, *a, *a, *a, *a]`)).not.toBeNull()
  expect(problemOf('mihomo', `${groups}x: [${'1,'.repeat(100_000)}]`)).toBe('must have at most 100000 values')
})

test('tags of YAML make nothing that JSON has not', () => {
  const groups = 'proxy-groups: [{type: select, name: G, proxies: [$proxies]}]\n'
  const tagged =
    'a: !!binary aGk=\nb: !!timestamp 2001-01-01\nc: !!set {x, y}\nd: !<str> 12\ne: !!omap [x: 1]\nf: !!str 5'
  const read = readTemplate('mihomo', groups + tagged)
  expect('template' in read && read.template).toMatchObject({
    a: 'aGk=',
    b: '2001-01-01',
    c: { x: null, y: null },
    d: '12',
    e: [{ x: 1 }],
    f: '5',
  })
})

const selector = { type: 'selector', tag: 's', outbounds: ['$proxies'] }

test.each<[string, unknown, string | null]>([
  ['a selector', { outbounds: [selector] }, null],
  ['a path of HTTP', { outbounds: [selector, { type: 'vless', tag: 'v', transport: { path: '/x' } }] }, null],
  [
    'an unknown name',
    { outbounds: [selector], script: {} },
    "script: is not part of a client's config, remove it",
  ],
  [
    'nowhere to put entries',
    { outbounds: [] },
    'outbounds: one of them must have $proxies among its outbounds',
  ],
  ['an outbound without a tag', { outbounds: [{ type: 'direct' }] }, 'outbounds[0]: needs a type and a tag'],
  ['a tag twice', { outbounds: [selector, selector] }, 'outbounds: "s" stands there twice'],
  ['a list of a wrong kind', { outbounds: 's' }, 'outbounds: must be a list'],
  [
    'an end that is nowhere',
    { outbounds: [selector], route: { final: 'x' } },
    'route.final: there is no outbound "x"',
  ],
  [
    'a rule that leads nowhere',
    { outbounds: [selector], route: { rules: [{ outbound: 'x' }] } },
    'route.rules[0].outbound: there is no outbound "x"',
  ],
  [
    'a resolver behind nothing',
    { outbounds: [selector], dns: { servers: [{ detour: 'x' }] } },
    'dns.servers[0].detour: there is no outbound "x"',
  ],
  [
    'a selector of strangers',
    { outbounds: [{ ...selector, outbounds: ['$proxies', 'x'] }] },
    'outbounds[0].outbounds: there is no outbound "x"',
  ],
  [
    'a log file',
    { outbounds: [selector], log: { output: 'x' } },
    'log.output: files of the device must not be named, remove it',
  ],
  [
    'a key of the device',
    { outbounds: [selector], inbounds: [{ tls: { key_path: 'x' } }] },
    'inbounds[0].tls.key_path: files of the device must not be named, remove it',
  ],
  [
    'a list in a file',
    { outbounds: [selector], route: { rule_set: [{ type: 'local', tag: 'a', path: 'x' }] } },
    'route.rule_set[0].path: files of the device must not be named, remove it',
  ],
  [
    'a list that does not say its path',
    { outbounds: [selector], route: { rule_set: [{ type: 'local', tag: 'a' }] } },
    'route.rule_set[0]: files of the device must not be named, remove it',
  ],
  [
    'a log file in other letters',
    { outbounds: [selector], log: { Output: 'x' } },
    'log.Output: files of the device must not be named, remove it',
  ],
  [
    'a key of the device in other letters',
    { outbounds: [selector], inbounds: [{ tls: { Key_Path: 'x' } }] },
    'inbounds[0].tls.Key_Path: files of the device must not be named, remove it',
  ],
  [
    'hosts of the device',
    { outbounds: [selector], dns: { servers: [{ Type: 'hosts', path: ['x'] }] } },
    'dns.servers[0].path: files of the device must not be named, remove it',
  ],
  [
    'a resolver over HTTPS',
    { outbounds: [selector], dns: { servers: [{ type: 'https', server: '1.1.1.1', path: '/dns-query' }] } },
    null,
  ],
  [
    'a folder of the device',
    { outbounds: [selector, { type: 'tor', tag: 't', data_directory: 'x' }] },
    'outbounds[1].data_directory: files of the device must not be named, remove it',
  ],
])('of sing-box: %s', (_what, template, problem) => {
  expect(problemOf('sing-box', JSON.stringify(template))).toBe(problem)
  expect(problemOf('sing-box-1.11', JSON.stringify(template))).toBe(problem)
})

test('a large template is looked through, not searched for each of its names', () => {
  const outbounds = Array.from({ length: 8000 }, (_, at) => ({ tag: `t${at}`, protocol: 'freedom' }))
  const rules = outbounds.map(({ tag }) => ({ outboundTag: tag }))
  expect(problemOf('xray', JSON.stringify({ outbounds, routing: { rules } }))).toBeNull()
})
