import type { ConsoleScreen } from '@sallyport/domain/console/pages'
import type { ComponentType } from 'preact'
import type { ScreenProps } from './screen-props.ts'

/** Every screen is a file of its own, loaded when it is first opened. */

export type Screen = ComponentType<ScreenProps>

interface Module {
  readonly default: Screen | ComponentType
}

export const screens: Readonly<Record<ConsoleScreen, () => Promise<Module>>> = {
  front: () => import('./screens/front/front.tsx'),
  search: () => import('./screens/search/search.tsx'),
  alerts: () => import('./screens/alerts/alerts.tsx'),
  customers: () => import('./screens/customers/customers.tsx'),
  customer: () => import('./screens/customer/customer.tsx'),
  orders: () => import('./screens/orders/orders.tsx'),
  order: () => import('./screens/order/order.tsx'),
  withdrawals: () => import('./screens/withdrawals/withdrawals.tsx'),
  promocodes: () => import('./screens/promocodes/promocodes.tsx'),
  methods: () => import('./screens/methods/methods.tsx'),
  ledger: () => import('./screens/ledger/ledger.tsx'),
  broadcasts: () => import('./screens/broadcasts/broadcasts.tsx'),
  nodes: () => import('./screens/nodes/nodes.tsx'),
  node: () => import('./screens/node/node.tsx'),
  servers: () => import('./screens/servers/servers.tsx'),
  server: () => import('./screens/server/server.tsx'),
  locations: () => import('./screens/locations/locations.tsx'),
  tariffs: () => import('./screens/tariffs/tariffs.tsx'),
  options: () => import('./screens/options/options.tsx'),
  option: () => import('./screens/option/option.tsx'),
  'cloud-configurations': () => import('./screens/cloud-configurations/cloud-configurations.tsx'),
  delivery: () => import('./screens/delivery/delivery.tsx'),
  apps: () => import('./screens/apps/apps.tsx'),
  brand: () => import('./screens/brand/brand.tsx'),
  upgrades: () => import('./screens/upgrades/upgrades.tsx'),
  machines: () => import('./screens/machines/machines.tsx'),
  clouds: () => import('./screens/clouds/clouds.tsx'),
  audit: () => import('./screens/audit/audit.tsx'),
  operators: () => import('./screens/operators/operators.tsx'),
  webhooks: () => import('./screens/webhooks/webhooks.tsx'),
  settings: () => import('./screens/settings/settings.tsx'),
  me: () => import('./screens/me/me.tsx'),
}
