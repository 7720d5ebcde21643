import type { Access, AccessOf, Certificate, Inbound, Reality } from '@sallyport/contract/agent/agent'

/**
 * What somebody writes who starts an engine by hand for one user and needs nothing else of it: no counters, no log, no rules, no
 * sniffing. Keys and ports are those of the access, so that its client needs another address and nothing more.
 */

/** What a node carries for one customer, and the inbound it shares, if it does. */
export interface Carried {
  readonly access: Access
  readonly inbound?: Inbound
}

/** Where it listens, and the site that REALITY borrows. */
export interface Ground {
  readonly address: string
  readonly target: string
}

const realityStream = ({ server_names, private_key, short_ids }: Reality, { target }: Ground) => ({
  network: 'tcp',
  security: 'reality',
  realitySettings: { target, serverNames: server_names, privateKey: private_key, shortIds: short_ids },
})

const tlsOf = ({ certificate, key }: Certificate, alpn: readonly string[]) => ({
  security: 'tls',
  tlsSettings: {
    alpn,
    certificates: [{ certificate: certificate.trim().split('\n'), key: key.trim().split('\n') }],
  },
})

type Shared = AccessOf<'shared'>

const sharedInbound = (inbound: Inbound, { account }: Shared, ground: Ground): object => {
  const settings = (client: object, rest: object = {}) => ({ settings: { clients: [client], ...rest } })
  switch (`${inbound.protocol} ${account.protocol}`) {
    case 'vless vless':
    case 'vless-2410 vless': {
      const { uuid, flow } = account as Extract<typeof account, { protocol: 'vless' }>
      const client = { id: uuid, ...(flow && { flow }) }
      const { reality } = inbound as Extract<Inbound, { protocol: 'vless' }>
      const streamSettings = realityStream(reality, ground)
      return { protocol: 'vless', ...settings(client, { decryption: 'none' }), streamSettings }
    }
    case 'trojan trojan': {
      const { tls } = inbound as Extract<Inbound, { protocol: 'trojan' }>
      const { password } = account as Extract<typeof account, { protocol: 'trojan' }>
      const streamSettings = { network: 'tcp', ...tlsOf(tls, ['h2', 'http/1.1']) }
      return { protocol: 'trojan', ...settings({ password }), streamSettings }
    }
    case 'trojan-2901 trojan': {
      const { reality } = inbound as Extract<Inbound, { protocol: 'trojan-2901' }>
      const { password } = account as Extract<typeof account, { protocol: 'trojan' }>
      return {
        protocol: 'trojan',
        ...settings({ password }),
        streamSettings: realityStream(reality, ground),
      }
    }
    case 'outline outline': {
      const { password } = account as Extract<typeof account, { protocol: 'outline' }>
      const method = 'chacha20-ietf-poly1305'
      return { protocol: 'shadowsocks', settings: { method, password, network: 'tcp,udp' } }
    }
    case 'shadowsocks-2022 shadowsocks-2022': {
      const { server_key } = inbound as Extract<Inbound, { protocol: 'shadowsocks-2022' }>
      const { key } = account as Extract<typeof account, { protocol: 'shadowsocks-2022' }>
      const method = '2022-blake3-aes-256-gcm'
      return {
        protocol: 'shadowsocks',
        ...settings({ password: key, email: 'u' }, { method, password: server_key, network: 'tcp,udp' }),
      }
    }
    case 'hysteria2 hysteria2': {
      const { tls, obfs_password } = inbound as Extract<Inbound, { protocol: 'hysteria2' }>
      const { auth } = account as Extract<typeof account, { protocol: 'hysteria2' }>
      const finalmask = { udp: [{ type: 'salamander', settings: { password: obfs_password } }] }
      const stream = { network: 'hysteria', hysteriaSettings: { version: 2 }, finalmask }
      return {
        protocol: 'hysteria',
        ...settings({ auth }, { version: 2 }),
        streamSettings: { ...stream, ...tlsOf(tls, ['h3']) },
      }
    }
    default:
      throw new Error(`Nobody starts ${inbound.protocol} for ${account.protocol}`)
  }
}

interface PersonalInbound {
  readonly protocol: string
  readonly settings: object
  readonly streamSettings: { readonly realitySettings?: object }
}

const personalInbound = ({ config }: AccessOf<'instance'>, { target }: Ground): object => {
  const [inbound] = (JSON.parse(config) as { inbounds: [PersonalInbound] }).inbounds
  const { protocol, settings, streamSettings } = inbound
  const { realitySettings } = streamSettings
  const borrowed = realitySettings && { realitySettings: { ...realitySettings, target } }
  return { protocol, settings, streamSettings: { ...streamSettings, ...borrowed } }
}

const proxyInbound = ({ protocol, user, password }: AccessOf<'proxy'>): object => {
  const accounts = [{ user, pass: password }]
  return protocol === 'http'
    ? { protocol: 'http', settings: { accounts } }
    : { protocol: 'socks', settings: { auth: 'password', accounts } }
}

const xrayInbound = ({ access, inbound }: Carried, ground: Ground): object => {
  if (access.kind === 'instance') return { port: access.port, ...personalInbound(access, ground) }
  if (access.kind === 'proxy') return { port: access.port, ...proxyInbound(access) }
  if (access.kind !== 'shared' || !inbound) throw new Error(`Xray does not carry ${access.kind}`)
  return { port: inbound.port, ...sharedInbound(inbound, access, ground) }
}

export const xrayByHand = (carried: Carried, ground: Ground): object => ({
  log: { loglevel: 'warning', access: 'none' },
  inbounds: [{ listen: ground.address, ...xrayInbound(carried, ground) }],
  outbounds: [{ protocol: 'freedom' }],
})

export const mtgByHand = ({ port, secret }: AccessOf<'mtproto'>, { address }: Ground): string =>
  `secret = "${secret}"\nbind-to = "${address}:${port}"\n`

const hex = (key: string): string => Buffer.from(key, 'base64').toString('hex')

/** Lines of the engine's own protocol, and the customer's address. */
export const wireguardByHand = ({ access, inbound }: Carried): { lines: string[]; customer: string } => {
  const isShared = access.kind === 'shared' && inbound?.protocol === 'wg' && access.account.protocol === 'wg'
  if (!isShared && access.kind !== 'amnezia-wg') throw new Error('amneziawg-go does not carry this')
  const { private_key, port } = (isShared ? inbound : access) as AccessOf<'amnezia-wg'>
  const peer = (isShared ? access.account : (access as AccessOf<'amnezia-wg'>).peer) as {
    readonly public_key: string
    readonly preshared_key: string
    readonly address: string
  }
  const parameters = access.kind === 'amnezia-wg' ? Object.entries(access.parameters) : []
  const said = parameters.filter(([, value]) => value !== 0).map(([name, value]) => `${name}=${value}`)
  const lines = [
    `private_key=${hex(private_key)}`,
    `listen_port=${port}`,
    ...said,
    `public_key=${hex(peer.public_key)}`,
    `preshared_key=${hex(peer.preshared_key)}`,
    `allowed_ip=${peer.address}/32`,
  ]
  return { lines, customer: peer.address }
}
