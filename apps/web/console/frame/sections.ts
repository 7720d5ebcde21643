import type { ConsolePath, Operation } from '@sallyport/domain/console/pages'
import { consolePages } from '@sallyport/domain/console/pages'
import { may } from './me.ts'

/** What stands at the side, in the order of a day's work, and the keys that lead there after `g`. */

export const sections = [
  {
    name: 'now',
    links: [
      { path: '/console', name: 'front', key: 'h' },
      { path: '/console/alerts', name: 'alerts', key: 'a' },
    ],
  },
  {
    name: 'people',
    links: [
      { path: '/console/customers', name: 'customers', key: 'c' },
      { path: '/console/broadcasts', name: 'broadcasts', key: 'b' },
    ],
  },
  {
    name: 'money',
    links: [
      { path: '/console/orders', name: 'orders', key: 'o' },
      { path: '/console/withdrawals', name: 'withdrawals', key: 'w' },
      { path: '/console/promocodes', name: 'promocodes', key: 'd' },
      { path: '/console/methods', name: 'methods', key: 'm' },
      { path: '/console/ledger', name: 'ledger', key: 'l' },
    ],
  },
  {
    name: 'fleet',
    links: [
      { path: '/console/nodes', name: 'nodes', key: 'n' },
      { path: '/console/servers', name: 'servers', key: 's' },
      { path: '/console/upgrades', name: 'upgrades', key: 'r' },
      { path: '/console/machines', name: 'machines', key: 'v' },
      { path: '/console/clouds', name: 'clouds', key: 'k' },
    ],
  },
  {
    name: 'catalogue',
    links: [
      { path: '/console/locations', name: 'locations', key: 'i' },
      { path: '/console/tariffs', name: 'tariffs', key: 't' },
      { path: '/console/options', name: 'options', key: 'x' },
      { path: '/console/cloud-configurations', name: 'cloudConfigurations', key: 'z' },
      { path: '/console/delivery', name: 'delivery', key: 'y' },
      { path: '/console/apps', name: 'apps', key: 'q' },
      { path: '/console/brand', name: 'brand', key: 'j' },
    ],
  },
  {
    name: 'service',
    links: [
      { path: '/console/audit', name: 'audit', key: 'u' },
      { path: '/console/operators', name: 'operators', key: 'f' },
      { path: '/console/webhooks', name: 'webhooks', key: 'e' },
      { path: '/console/settings', name: 'settings', key: ',' },
    ],
  },
] as const satisfies readonly {
  readonly name: string
  readonly links: readonly { readonly path: ConsolePath; readonly name: string; readonly key: string }[]
}[]

export type Link = (typeof sections)[number]['links'][number]

const callsOf = (path: ConsolePath): Operation =>
  consolePages.find((page) => page.path === path)?.calls ?? 'showMe'

/** With what this operator may see. */
export const seenSections = () =>
  sections
    .map(({ name, links }) => ({
      name,
      links: (links as readonly Link[]).filter(({ path }) => may(callsOf(path))),
    }))
    .filter(({ links }) => links.length > 0)
