import type { Json } from '../../text/strict-json.ts'

/** What a stranger would try, by the place where it goes. */

/** Keys that have no place at all. */
export const hostileKeys: readonly (readonly [path: string, value: Json])[] = [
  ['api', { tag: 'api', listen: '127.0.0.1:10085', services: ['HandlerService'] }],
  ['stats', {}],
  ['policy', { levels: { '0': { bufferSize: 10_000_000 } } }],
  ['metrics', { tag: 'pprof', listen: '0.0.0.0:6060' }],
  ['env', { SSLKEYLOGFILE: '/tmp/keys' }],
  ['reverse', { portals: [{ tag: 'portal', domain: 'in.example.com' }] }],
  ['geodata', { url: 'https://example.com/geoip.dat', file: '/etc/cron.d/x' }],
  ['observatory', { subjectSelector: ['direct'], probeURL: 'http://169.254.169.254/' }],
  ['burstObservatory', { pingConfig: { destination: 'http://127.0.0.1/' } }],
  ['fakeDns', { ipPool: '198.18.0.0/15', poolSize: 65535 }],
  ['transport', { tcpSettings: {} }],
  ['version', { min: '99.0.0' }],
  ['inboundDetour', []],
  ['log.access', '/etc/cron.d/access'],
  ['log.error', '/root/.ssh/authorized_keys'],
  ['log.dnsLog', true],
  ['log.maskAddress', 'half'],
  ['dns.hosts', { 'www.example.com': '127.0.0.1' }],
  ['dns.clientIp', '127.0.0.1'],
  ['dns.useSystemHosts', true],
  ['dns.disableFallback', true],
  ['inbounds[0].allocate', { strategy: 'random' }],
  ['inbounds[0].settings.fallbacks', [{ dest: 80 }]],
  ['inbounds[0].settings.users', []],
  ['inbounds[0].settings.flow', 'xtls-rprx-vision'],
  ['inbounds[0].settings.testseed', [1, 2, 3, 4]],
  ['inbounds[0].settings.clients[0].reverse', { tag: 'portal' }],
  ['inbounds[0].settings.clients[0].encryption', 'none'],
  ['inbounds[0].settings.clients[0].account', {}],
  ['inbounds[0].sniffing.metadataOnly', true],
  ['inbounds[0].streamSettings.sockopt', { dialerProxy: 'direct', mark: 255, interface: 'eth0' }],
  ['inbounds[0].streamSettings.externalProxy', [{ dest: '127.0.0.1' }]],
  ['inbounds[0].streamSettings.finalmask', {}],
  ['inbounds[0].streamSettings.address', '127.0.0.1'],
  ['inbounds[0].streamSettings.hysteriaSettings', { masquerade: { type: 'file', dir: '/etc' } }],
  ['inbounds[0].streamSettings.splithttpSettings', {}],
  ['inbounds[0].streamSettings.kcpSettings', { readBufferSize: 4096 }],
  ['inbounds[0].streamSettings.tcpSettings.acceptProxyProtocol', true],
  ['inbounds[0].streamSettings.realitySettings.masterKeyLog', '/tmp/keys'],
  ['inbounds[0].streamSettings.realitySettings.dest', '127.0.0.1:22'],
  ['inbounds[0].streamSettings.realitySettings.type', 'unix'],
  ['inbounds[0].streamSettings.realitySettings.mldsa65Seed', 'A'.repeat(43)],
  ['inbounds[0].streamSettings.realitySettings.limitFallbackUpload', { afterBytes: 1 }],
  ['inbounds[0].streamSettings.realitySettings.publicKey', 'A'.repeat(43)],
  ['outbounds[0].proxySettings', { tag: 'block' }],
  ['outbounds[0].streamSettings', { sockopt: { interface: 'lo' } }],
  ['outbounds[0].sendThrough', '127.0.0.1'],
  ['outbounds[0].targetStrategy', 'AsIs'],
  ['outbounds[0].mux', { enabled: true }],
  ['outbounds[0].settings.redirect', '127.0.0.1:22'],
  ['outbounds[0].settings.finalRules', [{ action: 'allow' }]],
  ['outbounds[0].settings.targetStrategy', 'AsIs'],
  ['outbounds[0].settings.proxyProtocol', 2],
  ['outbounds[0].settings.noises', [{ type: 'rand', packet: '1-65535' }]],
  ['outbounds[0].settings.fragment', { packets: 'tlshello' }],
  ['routing.balancers', [{ tag: 'all', selector: ['direct'] }]],
  ['routing.rules[0].balancerTag', 'all'],
  ['routing.rules[0].user', ['someone']],
  ['routing.rules[0].source', ['127.0.0.1']],
  ['routing.rules[0].process', ['self/']],
  ['routing.rules[0].attrs', { ':method': 'GET' }],
  ['routing.rules[0].webhook', { url: 'http://127.0.0.1:6060/' }],
]

const words = (list: string): string[] => list.trim().split(/\s+/)

/** Values that have no place at a key which is permitted. */
export const hostileValues: readonly (readonly [path: string, values: readonly Json[]])[] = [
  [
    'inbounds[0].streamSettings.realitySettings.target',
    [
      ...words(`443 22 :443 localhost:443 127.0.0.1:443 127.1:443 0:443 2130706433:443 0x7f000001:443
        0177.0.0.1:443 0x7f.0.0.0x1:443 [::1]:443 [::ffff:127.0.0.1]:443 ::1:443 1.1.1.1:443
        169.254.169.254:443 metadata.google.internal:443 router.lan:443 printer.local:443 intranet:443
        sub.localhost:443 1.0.0.127.in-addr.arpa:443 hidden.onion:443 127.0.0.1.nip.io:443
        7f000001.08080808.rbndr.us:443 localtest.me:443 www.example.com www.example.com:80
        www.example.com:22 www.example.com:0443 www.example.com:443:443 www.example.com.:443
        user@www.example.com:443 www.example.com:443/ ｗｗｗ.example.com:443 127。0。0。1:443
        www.example.com%00:443 /var/run/docker.sock @abstract @@padded env:TARGET unix:/run/x.sock`),
      'www.example.com:443\n',
      'www.example.com:443\r\nwww.example.com:22',
      22,
      443,
      null,
      ['www.example.com:443'],
      { host: 'www.example.com' },
    ],
  ],
  ['inbounds[0].streamSettings.realitySettings.xver', [1, 2, '0']],
  ['inbounds[0].streamSettings.realitySettings.show', [true]],
  [
    'inbounds[0].streamSettings.realitySettings.serverNames',
    [[], ['a b'], ['10.0.0.1'], ['*.example.com'], 'x'],
  ],
  ['inbounds[0].streamSettings.realitySettings.privateKey', ['', 'A'.repeat(44), '/etc/passwd']],
  ['inbounds[0].streamSettings.realitySettings.shortIds', [[], ['abc'], ['zz'], ['0'.repeat(18)]]],
  ['inbounds[0].streamSettings.realitySettings.maxTimeDiff', [-1, 1.5, '1']],
  ['inbounds[0].streamSettings.security', ['none', '', 'xtls', 'REALITY', null]],
  ['inbounds[0].streamSettings.network', words('kcp quic hysteria unix splithttp TCP h2')],
  ['inbounds[0].streamSettings', [null, [], 'tcp', {}]],
  [
    'inbounds[0].listen',
    [...words('/run/x.sock /tmp/x,0666 @x env:LISTEN localhost 127.1 010.0.0.1 [::]'), 0],
  ],
  ['inbounds[0].listen', ['fe80::1%eth0', '']],
  ['inbounds[0].port', ['443', '1024-65535', 'env:PORT', 0, 80, 1023, 65536, -1, 20000.5, 1e99, [20000]]],
  ['inbounds[0].tag', ['', 'a b', 'x'.repeat(33), 1]],
  [
    'inbounds[0].protocol',
    words('socks http mixed tunnel dokodemo-door tun wireguard shadowsocks trojan vmess hysteria VLESS'),
  ],
  ['inbounds[0].settings.decryption', ['', 'mlkem768x25519plus.native.600s.x', null]],
  ['inbounds[0].settings.clients', [[], null, {}]],
  ['inbounds[0].settings.clients[0].id', ['', 'short', 'anything that hashes', 'g'.repeat(32), 7]],
  ['inbounds[0].settings.clients[0].flow', ['xtls-rprx-direct', 'xtls-rprx-vision-udp443', null]],
  ['inbounds[0].sniffing.destOverride', [['fakedns'], ['fakedns+others'], 'http,tls']],
  ['inbounds[0].sniffing.domainsExcluded', [['regexp:.*'], ['geosite:cn'], ['ext:x.dat:y']]],
  [
    'outbounds[0].protocol',
    words('loopback socks http vless vmess trojan shadowsocks hysteria direct block Freedom constructor'),
  ],
  ['outbounds[0].tag', ['api', 'bridge', 'private-targets', 'from-here', 'in', '', 'a b']],
  ['outbounds[0].settings.domainStrategy', ['asis', 'env:X', 'PreferIP']],
  ['outbounds[2].settings.nonIPQuery', ['skip', '']],
  ['outbounds[2].settings.address', ['127.0.0.1']],
  ['outbounds[2].settings.port', [22]],
  ['outbounds[2].settings.network', ['tcp']],
  ['outbounds[3].settings.noKernelTun', [false]],
  ['outbounds[3].settings.mtu', [0, 65535]],
  ['outbounds[3].settings.workers', [-1, 100_000]],
  ['outbounds[3].settings.secretKey', ['', 'x\nlisten_port=53', 'env:KEY']],
  ['outbounds[3].settings.address', [['10.0.0.2/33'], ['fe80::1%lo'], ['x']]],
  ['outbounds[3].settings.reserved', [[1], [1, 2, 256], 'AAAA']],
  ['outbounds[3].settings.peers', [[], [{}, {}]]],
  [
    'outbounds[3].settings.peers[0].endpoint',
    [
      ...words(`127.0.0.1:51820 10.0.0.1:51820 [::1]:51820 [::ffff:10.0.0.1]:51820 [fe80::1%lo]:51820
        peer.example.com:51820 192.0.2.1 192.0.2.1:0 192.0.2.1:65536 2606:4700::1111:51820 0x7f.1:51820
        [64:ff9b::a00:1]:51820 [2002:7f00:1::]:51820 env:PEER`),
      '192.0.2.1:51820\nreplace_peers=true',
    ],
  ],
  ['outbounds[3].settings.peers[0].allowedIPs', [['0.0.0.0/0\nendpoint=127.0.0.1:53'], ['0.0.0.0']]],
  ['routing.domainStrategy', ['asis', 'UseIP']],
  ['routing.rules[0].type', ['chinaip']],
  [
    'routing.rules[0].domain',
    [['regexp:(a+)+$'], ['geosite:cn'], ['ext:/etc/passwd:x'], ['dotless:x'], [], 'a'],
  ],
  [
    'routing.rules[0].ip',
    [['geoip:private'], ['ext-ip:../x:y'], ['!10.0.0.0/8'], ['10.0.0.0/33'], ['1'], []],
  ],
  ['routing.rules[0].port', ['env:PORT', '1-', '2-1', '65536', '080', '', 0, 1.5]],
  ['routing.rules[0].network', ['unix', 'TCP', '']],
  ['routing.rules[0].protocol', [['http', 'ssh'], ['HTTP'], 'bittorrent']],
  ['routing.rules[0].inboundTag', [['api'], ['in', 'other'], []]],
  ['routing.rules[0].outboundTag', ['api', 'bridge', 'private-targets', 'from-here', 'missing', '', 7]],
  ['dns.tag', ['in', 'api', '']],
  ['dns.queryStrategy', ['UseSystem']],
  [
    'dns.servers[0]',
    words(`localhost fakedns https://1.1.1.1/dns-query https+local://127.0.0.1/ tcp://10.0.0.1:53 tcp+local://127.0.0.1
      quic+local://127.0.0.1 h2c://127.0.0.1 env:DNS 127.0.0.1 10.0.0.53 169.254.169.253 100.100.100.100 ::1
      ::ffff:127.0.0.1 0x08080808 134744072 dns.example.com`),
  ],
  ['dns.servers', [[], ['9.9.9.9', '9.9.9.9', '9.9.9.9', '9.9.9.9', '9.9.9.9'], '9.9.9.9']],
]
