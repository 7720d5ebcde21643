import type { RowsFor } from '@sallyport/contract/tables'

/** The addresses of the console: the service answers each with the page, and the page shows the screen. */

export type Operation = keyof RowsFor<'operator'>

export interface ConsolePage {
  /** A parameter is written :name. */
  readonly path: string
  /** The folder of the screen in apps/web/console/screens. */
  readonly screen: string
  /** Who may not call this sees neither the page nor a way there. */
  readonly calls: Operation
}

export const consolePages = [
  { path: '/console', screen: 'front', calls: 'showMe' },
  { path: '/console/search', screen: 'search', calls: 'showMe' },
  { path: '/console/alerts', screen: 'alerts', calls: 'listAlerts' },
  { path: '/console/customers', screen: 'customers', calls: 'searchUsers' },
  { path: '/console/customers/:id', screen: 'customer', calls: 'showUser' },
  { path: '/console/broadcasts', screen: 'broadcasts', calls: 'listBroadcasts' },
  { path: '/console/orders', screen: 'orders', calls: 'searchPayments' },
  { path: '/console/orders/:id', screen: 'order', calls: 'showOrder' },
  { path: '/console/withdrawals', screen: 'withdrawals', calls: 'listWithdrawals' },
  { path: '/console/promocodes', screen: 'promocodes', calls: 'listIssuedPromocodes' },
  { path: '/console/methods', screen: 'methods', calls: 'listPaymentMethods' },
  { path: '/console/ledger', screen: 'ledger', calls: 'listTransfers' },
  { path: '/console/nodes', screen: 'nodes', calls: 'listNodes' },
  { path: '/console/nodes/:id', screen: 'node', calls: 'showNode' },
  { path: '/console/servers', screen: 'servers', calls: 'listServers' },
  { path: '/console/servers/:id', screen: 'server', calls: 'showServer' },
  { path: '/console/upgrades', screen: 'upgrades', calls: 'listAgentUpgrades' },
  { path: '/console/machines', screen: 'machines', calls: 'listMachines' },
  { path: '/console/clouds', screen: 'clouds', calls: 'listClouds' },
  { path: '/console/locations', screen: 'locations', calls: 'listAllLocations' },
  { path: '/console/tariffs', screen: 'tariffs', calls: 'showConfigTariffs' },
  { path: '/console/options', screen: 'options', calls: 'listOptions' },
  { path: '/console/options/:id', screen: 'option', calls: 'listOptions' },
  { path: '/console/cloud-configurations', screen: 'cloud-configurations', calls: 'listCloudConfigurations' },
  { path: '/console/delivery', screen: 'delivery', calls: 'showDeliverySettings' },
  { path: '/console/apps', screen: 'apps', calls: 'showApps' },
  { path: '/console/brand', screen: 'brand', calls: 'showCabinetSettings' },
  { path: '/console/audit', screen: 'audit', calls: 'listAudit' },
  { path: '/console/operators', screen: 'operators', calls: 'listOperators' },
  { path: '/console/webhooks', screen: 'webhooks', calls: 'listWebhooks' },
  { path: '/console/settings', screen: 'settings', calls: 'showSettings' },
  { path: '/console/me', screen: 'me', calls: 'showMe' },
] as const satisfies readonly ConsolePage[]

export type ConsoleScreen = (typeof consolePages)[number]['screen']
export type ConsolePath = (typeof consolePages)[number]['path']
