import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { personalXray } from '@sallyport/domain/vpn/engine/personal-xray'
import type { InstanceAccess } from '../engines/personal/personal-instance.ts'

const { privateKey } = generateKeyPairSync('x25519')
const { d: realityPrivateKey = '', x: realityPublicKey = '' } = privateKey.export({ format: 'jwk' })
const shortId = '0123456789abcdef'

export interface Instance {
  readonly access: InstanceAccess
  /** What the customer's client is told. */
  readonly outbound: object
}

/** A personal Xray on loopback that borrows the site at `sitePort`. */
export const instanceOn = (id: string, port: number, sitePort: number, uuid = randomUUID()): Instance => {
  const site = { target: `127.0.0.1:${sitePort}`, serverName: 'localhost' }
  const warp = { privateKey: '', addresses: [], peerPublicKey: '', endpoint: '', reserved: [] }
  const config = personalXray({
    options: [],
    listen: '127.0.0.1',
    port,
    uuid,
    realityPrivateKey,
    shortId,
    secretPath: 'secret',
    site,
    otherSite: site,
    warp,
    homeDomains: [],
    homeNetworks: [],
  })
  return {
    access: {
      id,
      revision: 1,
      kind: 'instance',
      listen: '127.0.0.1',
      port,
      config: JSON.stringify(config),
    },
    outbound: {
      protocol: 'vless',
      settings: {
        vnext: [
          {
            address: '127.0.0.1',
            port,
            users: [{ id: uuid, encryption: 'none', flow: 'xtls-rprx-vision' }],
          },
        ],
      },
      streamSettings: {
        network: 'tcp',
        security: 'reality',
        realitySettings: {
          serverName: 'localhost',
          fingerprint: 'chrome',
          publicKey: realityPublicKey,
          shortId,
        },
      },
    },
  }
}

/** The same access with a configuration that Xray itself refuses. */
export const refusedBy = ({ access }: Instance): InstanceAccess => ({
  ...access,
  revision: access.revision + 1,
  config: access.config.replace('xtls-rprx-vision', 'no-such-flow'),
})
