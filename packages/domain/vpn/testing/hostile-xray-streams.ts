import type { Json, JsonObject } from '../../text/strict-json.ts'

/** What a stranger would try in streamSettings other than REALITY's. */

const file = '/etc/ssl/private/server.key'
const line = 'A'.repeat(64)
const pem = (title: string): Json => [`-----BEGIN ${title}-----`, line, `-----END ${title}-----`]
const pair = { certificate: pem('CERTIFICATE'), key: pem('PRIVATE KEY') }

const overTls = (at: string, tls: JsonObject, rest: JsonObject = {}): readonly [string, Json] => [
  at,
  { network: 'tcp', security: 'tls', tlsSettings: tls, ...rest },
]
const certificate = (at: string, value: JsonObject) =>
  overTls(`tlsSettings.certificates[0]${at}`, { certificates: [value] })
const transport = (network: string, key: string, value: Json) =>
  overTls(`${network}Settings.${key}`, {}, { network, [`${network}Settings`]: { [key]: value } })

export const hostileStreams: readonly (readonly [at: string, streamSettings: Json])[] = [
  ['tlsSettings', { network: 'tcp', security: 'tls' }],
  overTls('tlsSettings.masterKeyLog', { masterKeyLog: '/tmp/keys' }),
  overTls('tlsSettings.MasterKeyLog', { MasterKeyLog: '/tmp/keys' }),
  overTls('tlsSettings.echSockopt', { echSockopt: { mark: 255 } }),
  overTls('tlsSettings.echServerKeys', { echServerKeys: 'AAAA' }),
  overTls('tlsSettings.echConfigList', { echConfigList: 'udp://127.0.0.1' }),
  overTls('tlsSettings.alpn', { alpn: ['fromMitm'] }),
  overTls('tlsSettings.alpn', { alpn: ['h3'] }),
  overTls('tlsSettings.alpn', { alpn: ['h2', 'h2'] }),
  overTls('tlsSettings.minVersion', { minVersion: '1.0' }),
  overTls('tlsSettings.minVersion', { minVersion: '1.3', maxVersion: '1.2' }),
  overTls('tlsSettings.serverName', { serverName: '10.0.0.1' }),
  overTls('tlsSettings.certificates', { certificates: [pair, pair] }),
  overTls('tlsSettings.alpn', { alpn: ['h2'] }, { network: 'ws' }),
  overTls('tlsSettings.alpn', { alpn: ['http/1.1'] }, { network: 'grpc' }),
  overTls('realitySettings', {}, { realitySettings: {} }),
  overTls('wsSettings', {}, { wsSettings: {} }),
  overTls('sockopt', {}, { sockopt: { tproxy: 'redirect' } }),
  certificate('.certificateFile', { certificateFile: file, keyFile: file }),
  certificate('.keyFile', { certificate: pair.certificate, keyFile: file }),
  certificate('.CertificateFile', { ...pair, CertificateFile: file }),
  certificate('.usage', { ...pair, usage: 'issue' }),
  certificate('.usage', { ...pair, usage: 'verify' }),
  certificate('.ocspStapling', { ...pair, ocspStapling: 1 }),
  certificate('.buildChain', { ...pair, buildChain: true }),
  certificate('.key', pair),
  certificate('.key', { certificate: pair.certificate, key: pem('ENCRYPTED PRIVATE KEY') }),
  certificate('.key', { certificate: pair.certificate, key: file }),
  certificate('.certificate', { ...pair, certificate: Array(500).fill(line) }),
  certificate('.certificate', { ...pair, certificate: pem('TRUSTED CERTIFICATE') }),
  transport('xhttp', 'extra', { downloadSettings: { address: '127.0.0.1', port: 22 } }),
  transport('xhttp', 'downloadSettings', { address: '127.0.0.1', port: 22 }),
  transport('xhttp', 'headers', { 'X-Forwarded-For': '127.0.0.1' }),
  transport('xhttp', 'scMaxBufferedPosts', 1_000_000_000),
  transport('xhttp', 'serverMaxHeaderBytes', 2_000_000_000),
  transport('xhttp', 'mode', 'anything'),
  transport('ws', 'acceptProxyProtocol', true),
  transport('ws', 'headers', { Host: '127.0.0.1' }),
  transport('ws', 'path', 'no-slash'),
  transport('ws', 'path', '/a?ed=2147483647'),
  transport('ws', 'host', 'a\r\nb'),
  transport('httpupgrade', 'acceptProxyProtocol', true),
  transport('grpc', 'serviceName', '/a|b/../c'),
  transport('grpc', 'initial_windows_size', 2_147_483_647),
]
