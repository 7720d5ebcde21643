import { deflateSync } from 'node:zlib'
import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { WireguardEndpoint } from '../../vpn/endpoint.ts'
import { allTraffic, awgFields, keepaliveSeconds, wireguardConf } from './conf.ts'

export interface AmneziaEndpoint extends WireguardEndpoint {
  readonly awg: AwgParameters
}

/** Word for word what the Amnezia client makes of an imported .conf file. */
const lastConfig = (endpoint: AmneziaEndpoint): object => ({
  config: wireguardConf(endpoint),
  hostName: endpoint.host,
  port: endpoint.port,
  client_priv_key: endpoint.privateKey,
  client_ip: `${endpoint.address}/32`,
  server_pub_key: endpoint.publicKey,
  psk_key: endpoint.presharedKey,
  mtu: String(endpoint.mtu),
  persistent_keep_alive: String(keepaliveSeconds),
  allowed_ips: allTraffic,
  ...Object.fromEntries(awgFields(endpoint.awg)),
})

const amneziaProfile = (endpoint: AmneziaEndpoint): object => {
  const [dns1, dns2] = endpoint.dns
  const container = 'amnezia-awg'
  const awg = {
    // Without this the client takes the server for its own and offers to administer it.
    isThirdPartyConfig: true,
    last_config: JSON.stringify(lastConfig(endpoint)),
    port: String(endpoint.port),
    transport_proto: 'udp',
  }
  return {
    containers: [{ container, awg }],
    defaultContainer: container,
    description: endpoint.title,
    ...(dns1 !== undefined && { dns1 }),
    ...(dns2 !== undefined && { dns2 }),
    hostName: endpoint.host,
  }
}

/** Qt's qCompress: the length in four bytes, then zlib. */
export const amneziaLink = (endpoint: AmneziaEndpoint): string => {
  const profile = Buffer.from(JSON.stringify(amneziaProfile(endpoint)))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(profile.length)
  return `vpn://${Buffer.concat([length, deflateSync(profile)]).toString('base64url')}`
}
