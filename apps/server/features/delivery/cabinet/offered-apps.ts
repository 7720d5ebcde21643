import type { delivery } from '@sallyport/contract/customer/delivery'
import type { DataOf } from '@sallyport/contract/operation'
import type { Protocol, ProxyProtocol } from '@sallyport/contract/shapes'
import type { App, AppProtocol, Platform } from '@sallyport/domain/delivery/apps/app'
import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { arrangeApps } from '@sallyport/domain/delivery/apps/arrange'
import { appsFor, fewOf, leftOutBy, storesFor } from '@sallyport/domain/delivery/apps/choose'
import { asItComes } from '../../../core/delivery/delivery-settings.ts'
import type { Db } from '../../../db/client.ts'
import { findArrangement, findHeld } from './queries.ts'

/** Which apps an account is offered, for pages that are no page of ours. */

/** What apps read as a whole; one link is nothing to them. */
const profiles: ReadonlySet<string> = new Set(['mihomo', 'stash', 'clash', 'sing-box'])

/** Whoever sees more chooses none. */
const mostApps = 8

const appProtocols: Readonly<Record<Protocol | ProxyProtocol, AppProtocol>> = {
  vless: 'vless',
  'vless-2410': 'vless',
  trojan: 'trojan',
  'trojan-2901': 'trojan',
  outline: 'outline',
  'shadowsocks-2022': 'shadowsocks',
  hysteria2: 'hysteria2',
  wg: 'wireguard',
  'amnezia-wg-2': 'amneziawg',
  http: 'http',
  socks5: 'socks5',
  mtproto: 'mtproto',
}

type Offered = DataOf<typeof delivery.listApps>[number]

const shown = (
  app: App,
  platform: Platform,
  protocols: readonly AppProtocol[],
): Omit<Offered, 'is_first'> => {
  const { id, name, importTemplate, opens, hwid } = app
  const stores = storesFor(app, platform).map(({ name: title, url, region, publisher }) => ({
    title,
    url,
    region: region ?? null,
    publisher: publisher ?? null,
  }))
  return {
    id,
    title: name,
    publisher: stores.find(({ publisher }) => publisher !== null)?.publisher ?? null,
    stores,
    import_template: importTemplate,
    opens_scheme: opens?.platforms.includes(platform) ? opens.scheme : null,
    reads: importTemplate === null ? 'keys' : 'subscription',
    left_out: leftOutBy(app, protocols),
    names_device: hwid,
  }
}

const appsForOne = 3

/** Whether it takes one entry by itself, and not only a whole subscription. */
const takesAlone = ({ formats }: App, protocol: AppProtocol): boolean =>
  protocol === 'wireguard' || protocol === 'amneziawg'
    ? formats.includes('conf')
    : formats.some((format) => format !== 'conf' && !profiles.has(format))

/** For one entry that somebody is handed, as the operator arranged them. */
export const appsForAccess = async (
  db: Db,
  held: Protocol | ProxyProtocol,
  platform: Platform,
): Promise<Offered[]> => {
  const protocol = appProtocols[held]
  const { apps } = arrangeApps(catalogue, (await findArrangement(db))[0]?.apps ?? asItComes)
  const fitting = appsFor(apps, { platform, protocols: [protocol], needsHwid: false })
  const alone = fitting.filter((app) => takesAlone(app, protocol))
  return alone.slice(0, appsForOne).map((app, at) => ({
    ...shown(app, platform, [protocol]),
    is_first: at === 0,
  }))
}

/** As the operator arranged them. */
export const appsOf = async (db: Db, userId: number, platform: Platform, now: number): Promise<Offered[]> => {
  const [held] = await findHeld(db, userId, now)
  if (!held) return []
  const protocols = [...new Set(held.protocols.map((protocol) => appProtocols[protocol]))]
  const { apps } = arrangeApps(catalogue, held.apps ?? asItComes)
  const fitting = appsFor(apps, { platform, protocols, needsHwid: held.needs_hwid })
  return fewOf(fitting, protocols, mostApps).map((app, at) => ({
    ...shown(app, platform, protocols),
    is_first: at === 0,
  }))
}
