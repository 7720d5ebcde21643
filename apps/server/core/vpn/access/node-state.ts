import type { Access, Account, Certificate, Exit } from '@sallyport/contract/agent/agent'
import { xrayOutbound } from '@sallyport/domain/delivery/render/xray-outbound'
import { carriedAwg } from '@sallyport/domain/vpn/awg-rules'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import { tagOf } from '../../fleet/inbounds.ts'
import type { Vault } from '../../kernel/vault.ts'
import { type AccessRow, extraOf, type Homeland, isExtended } from './access-row.ts'
import { endpointsOf, flowOf, tunnelAddress, wireguardPublicKey } from './endpoints.ts'
import { instanceOf } from './instances.ts'
import { type ProxyRow, proxySecrets } from './proxies.ts'
import { ItemSecrets } from './secrets.ts'

/** Configurations and their proxies, as the agent of their node is told. */

interface Entry {
  readonly item: string
  readonly revision: number
}

export interface CarriedOnNode {
  readonly config: AccessRow
  /** Where a bridge sends it on to. */
  readonly exit: AccessRow | undefined
  /** What of the entry's country leaves from the entry itself. */
  readonly home: Homeland | undefined
  /** The server's own certificate, for personal instances that need one. */
  readonly certificate: () => Certificate
}

const peerOf = (secrets: ItemSecrets, row: AccessRow) => ({
  public_key: wireguardPublicKey(secrets.key('wg')),
  preshared_key: secrets.key('wg-psk'),
  address: tunnelAddress(extraOf(row).tunnel_host ?? 0),
})

const accountOf = (secrets: ItemSecrets, row: AccessRow): Account => {
  switch (row.protocol) {
    case 'trojan':
    case 'trojan-2901':
      return { protocol: 'trojan', password: secrets.hex('trojan') }
    case 'outline':
      return { protocol: 'outline', password: secrets.hex('outline') }
    case 'shadowsocks-2022':
      return { protocol: 'shadowsocks-2022', key: secrets.key('shadowsocks-2022') }
    case 'hysteria2':
      return { protocol: 'hysteria2', auth: secrets.hex('hysteria2') }
    case 'wg':
      return { protocol: 'wg', ...peerOf(secrets, row) }
    case 'amnezia-wg-2':
      throw new Error('AmneziaWG has an interface for each customer, and no accounts')
    case 'vless':
    case 'vless-2410':
      return { protocol: 'vless', uuid: secrets.uuid(), flow: flowOf(row.options) }
  }
}

const exitOf = (vault: Vault, { config, exit, home }: CarriedOnNode): Exit | undefined => {
  const [endpoint] = exit ? endpointsOf(vault, [exit]) : []
  const outbound = endpoint && xrayOutbound(endpoint)
  if (!outbound) return undefined
  const goesHome = !config.options.includes('pass_all_traffic_through_vpn')
  return {
    outbound: JSON.stringify(outbound),
    direct_domains: goesHome ? [...(home?.domains ?? [])] : [],
    direct_networks: goesHome ? [...(home?.networks ?? [])] : [],
  }
}

/** The server's certificate is put in here and not earlier, so that customers never see its key. */
export const completedInstance = (instance: XrayInstance, certificate: () => Certificate): XrayInstance => {
  const [inbound] = instance.inbounds
  const { streamSettings } = inbound
  if (streamSettings.security !== 'tls' || streamSettings.tlsSettings?.certificates?.length) return instance
  const own = certificate()
  const certificates = [{ certificate: own.certificate.trim().split('\n'), key: own.key.trim().split('\n') }]
  const tlsSettings = { ...streamSettings.tlsSettings, certificates }
  return { ...instance, inbounds: [{ ...inbound, streamSettings: { ...streamSettings, tlsSettings } }] }
}

export const configAccess = (vault: Vault, entry: Entry, carried: CarriedOnNode): Access => {
  const { config } = carried
  const { item: id, revision } = entry
  const secrets = new ItemSecrets(vault, config.credential_nonce)
  const listener = () => ({ listen: extraOf(config).listen_address, port: config.port })
  const exit = exitOf(vault, carried)
  if (isExtended(config)) {
    return {
      id,
      revision,
      kind: 'instance',
      ...listener(),
      config: JSON.stringify(completedInstance(instanceOf(vault, config), carried.certificate)),
      ...(config.protocol === 'vless-2410' && { site: carried.certificate() }),
      ...(exit && { exit }),
    }
  }
  if (config.protocol === 'amnezia-wg-2') {
    const { awg } = extraOf(config)
    if (!awg) throw new Error(`${id} has no AmneziaWG parameters`)
    return {
      id,
      revision,
      kind: 'amnezia-wg',
      ...listener(),
      private_key: secrets.key('awg-server'),
      parameters: carriedAwg(awg),
      peer: peerOf(secrets, config),
    }
  }
  return {
    id,
    revision,
    kind: 'shared',
    inbound: tagOf(config.protocol, config.server_id),
    account: accountOf(secrets, config),
    ...(exit && { exit }),
  }
}

export const proxyAccess = (vault: Vault, entry: Entry, proxy: ProxyRow): Access => {
  const { item: id, revision } = entry
  const { user, password, secret } = proxySecrets(vault, proxy)
  const listener = { listen: proxy.listen_address, port: proxy.port }
  if (proxy.protocol === 'mtproto') return { id, revision, kind: 'mtproto', ...listener, secret }
  const withoutUdp = proxy.protocol === 'socks5' && proxy.is_metered
  return {
    id,
    revision,
    kind: 'proxy',
    protocol: proxy.protocol,
    ...listener,
    user,
    password,
    ...(withoutUdp && { without_udp: true }),
  }
}
