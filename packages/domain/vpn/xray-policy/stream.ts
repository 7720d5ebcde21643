import { certificate } from './certificate.ts'
import {
  also,
  arrayOf,
  type Checker,
  dropped,
  flag,
  integer,
  object,
  only,
  type Report,
  repeatedIndex,
  text,
} from './checkers.ts'
import { name, nameOrNone, realityKey, shortId } from './values.ts'

/** How the instance meets its clients: transport, and TLS or REALITY over it. */

const dayMs = 86_400_000
const notInLink = 'the connection link cannot carry it'
const clientSide = 'belongs to the client'
const writesFile = 'writes the secrets of connections to a file of the server'
const proxyProtocol = 'lets clients claim any address as their own'
const ofServer = 'is set by the server, the same for everybody'

const version = text(/^\d{1,3}(?:\.\d{1,3}){0,2}$/, 'must be a version such as 1.8.0')
const tlsVersion = only('1.2', '1.3')
const httpPath = text(
  /^\/[A-Za-z0-9._~/-]{0,255}$/,
  'must begin with "/" and have at most 256 letters, digits or "._~/-"',
)

const plain = dropped(
  object({}, { header: object({ type: only('none') }, {}) }, { acceptProxyProtocol: proxyProtocol }),
)
const upgraded = object(
  {},
  { path: httpPath, host: nameOrNone },
  { headers: notInLink, acceptProxyProtocol: proxyProtocol },
)
const xhttp = object(
  {},
  { path: httpPath, mode: only('auto', 'packet-up', 'stream-up', 'stream-one') },
  {
    host: notInLink,
    headers: notInLink,
    extra: notInLink,
    downloadSettings: 'would open a second way in',
  },
)
const grpc = object(
  {},
  {
    serviceName: text(/^[A-Za-z0-9._~-]{1,128}$/, 'must be 1 to 128 letters, digits or "._~-"'),
    multiMode: flag,
  },
)

const reality = (target: Checker<string>) =>
  object(
    {
      target,
      serverNames: arrayOf(nameOrNone, 1, 8),
      privateKey: realityKey,
      shortIds: arrayOf(shortId, 1, 8),
    },
    {
      xver: only(0),
      maxTimeDiff: integer(0, dayMs),
      show: dropped(only(false)),
      minClientVer: dropped(version),
      maxClientVer: dropped(version),
    },
    {
      dest: 'is the old name: write target instead',
      type: 'follows from target',
      masterKeyLog: writesFile,
      mldsa65Seed: notInLink,
      limitFallbackUpload: ofServer,
      limitFallbackDownload: ofServer,
      fingerprint: clientSide,
      serverName: 'belongs to the client: write serverNames instead',
      publicKey: clientSide,
      password: clientSide,
      shortId: 'belongs to the client: write shortIds instead',
      spiderX: clientSide,
      mldsa65Verify: clientSide,
    },
  )

const tls = also(
  object(
    {},
    {
      serverName: name,
      alpn: arrayOf(only('h2', 'http/1.1'), 1, 2),
      minVersion: tlsVersion,
      maxVersion: tlsVersion,
      certificates: arrayOf(certificate, 0, 1),
    },
    {
      masterKeyLog: writesFile,
      echServerKeys: notInLink,
      echConfigList: clientSide,
      echSockopt: 'changes sockets of the server',
      fingerprint: clientSide,
      allowInsecure: clientSide,
    },
  ),
  ({ alpn = [], minVersion = '1.2', maxVersion = '1.3' }, report) => {
    if (repeatedIndex(alpn, String) !== -1) report('alpn', 'must name each protocol once')
    if (minVersion > maxVersion) report('minVersion', 'must not be above maxVersion')
  },
)

const shape = (target: Checker<string>) =>
  object(
    { security: only('reality', 'tls') },
    {
      network: only('tcp', 'raw', 'xhttp', 'grpc', 'ws', 'httpupgrade'),
      realitySettings: reality(target),
      tlsSettings: tls,
      rawSettings: plain,
      tcpSettings: plain,
      xhttpSettings: xhttp,
      grpcSettings: grpc,
      wsSettings: upgraded,
      httpupgradeSettings: upgraded,
    },
    {
      sockopt: 'changes sockets and routes of the server',
      externalProxy: 'the link is made for this server',
      finalmask: notInLink,
      splithttpSettings: 'is the old name: write xhttpSettings instead',
      kcpSettings: 'this transport is not offered',
      hysteriaSettings: 'this transport is not offered',
    },
  )

type Stream = ReturnType<typeof shape> extends Checker<infer T> ? T : never

const transportSettings = ['xhttp', 'grpc', 'ws', 'httpupgrade'] as const
const securitySettings = ['reality', 'tls'] as const
const realityNetworks: readonly string[] = ['tcp', 'raw', 'xhttp', 'grpc']

const judge = (stream: Stream, report: Report): void => {
  const { network = 'tcp', security, tlsSettings } = stream
  for (const other of transportSettings) {
    const key = `${other}Settings` as const
    if (other !== network && stream[key]) report(key, `has no use, because network is ${network}: remove it`)
  }
  for (const other of securitySettings) {
    const key = `${other}Settings` as const
    if (other !== security && stream[key])
      report(key, `has no use, because security is ${security}: remove it`)
  }
  if (!stream[`${security}Settings`]) report(`${security}Settings`, 'is missing')
  if (security === 'reality' && !realityNetworks.includes(network)) {
    report('security', `must be "tls", because REALITY does not work over ${network}`)
  }
  const { alpn } = tlsSettings ?? {}
  if (network === 'grpc' && alpn && !alpn.includes('h2')) report('tlsSettings.alpn', 'must name h2 for grpc')
  if ((network === 'ws' || network === 'httpupgrade') && alpn?.includes('h2')) {
    report('tlsSettings.alpn', `must be ["http/1.1"], because ${network} does not work over h2`)
  }
}

export const streamSettings = (target: Checker<string>) => also(shape(target), judge)
