import { startAmneziaWg } from '../../e2e/support/lab/clients/amnezia-wg.ts'
import { parseMtprotoLink } from '../../e2e/support/lab/clients/mtproto.ts'
import { startXray } from '../../e2e/support/lab/clients/xray.ts'
import { siteNames, sitePort, tlsPort } from '../../e2e/support/lab/internet.ts'
import { addresses, type Lab } from '../../e2e/support/lab/namespaces.ts'
import type { BoughtConfig } from '../../e2e/support/lab/vpn.ts'
import { parseConf } from '../../e2e/support/lab/wireguard-conf.ts'
import type { Way } from './contracts.ts'
import type { Engines } from './hand.ts'
import { Loader } from './loader.ts'
import type { Offer } from './offers.ts'

/** A customer's app with what was sold, and a program of the customer's behind it. */
export interface Customer {
  readonly loader: Loader
  close(): Promise<void>
}

const siteOf = ({ isTlsInside }: Offer): Pick<Way, 'host' | 'port' | 'serverName'> => {
  const host = addresses.site
  return isTlsInside ? { host, port: tlsPort, serverName: siteNames[0] } : { host, port: sitePort }
}

/** What was sold, at the machine whose engine was started by hand. */
export const movedByHand = ({ connection_url, awg_config = '', ...rest }: BoughtConfig): BoughtConfig => {
  const moved = (text: string): string => text.replaceAll(addresses.entry, addresses.exit)
  return { ...rest, connection_url: moved(connection_url), awg_config: moved(awg_config) }
}

export const mtuOf = ({ awg_config }: BoughtConfig): number => (awg_config ? parseConf(awg_config).mtu : 0)

const proxyOf = (link: string) => {
  const { hostname, port, username, password } = new URL(link)
  const sign = { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { host: hostname, port: Number(port), ...sign }
}

export const startCustomer = async (
  lab: Lab,
  engines: Engines,
  offer: Offer,
  bought: BoughtConfig,
): Promise<Customer> => {
  const site = siteOf(offer)
  const place = lab.place('client')
  const link = bought.connection_url
  const without = async (way: Way): Promise<Customer> => {
    const loader = await Loader.start(place, way)
    return { loader, close: async () => loader.stop() }
  }
  switch (offer.client) {
    case 'http':
      return without({ ...site, http: proxyOf(link) })
    case 'socks5':
      return without({ ...site, socks: proxyOf(link) })
    case 'telegram':
      return without({ ...site, telegram: parseMtprotoLink(link) })
    case 'amneziawg': {
      const app = await startAmneziaWg(lab, engines.awg, bought.awg_config ?? '')
      const loader = await Loader.start(app.place, site)
      return {
        loader,
        close: async () => {
          loader.stop()
          await app.close()
        },
      }
    }
    case 'xray': {
      const app = await startXray(lab, engines.xray, link)
      const loader = await Loader.start(place, { ...site, socks: app.socks })
      return {
        loader,
        close: async () => {
          loader.stop()
          await app.close()
        },
      }
    }
  }
}
