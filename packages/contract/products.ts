import type { Words } from './shapes.ts'

/** Everything that is sold for a time, with every name that others know it by. A new one is a literal more. */

export interface ProductNames {
  /** Of what kind its payments are: for a new one, and for more days of one that is there. */
  readonly payments: { readonly bought: string; readonly renewed: string }
  /** The type of a pricing rule for one of them; a rule for all has the name of the class. */
  readonly rule: string
  readonly titles: { readonly one: Words; readonly many: Words }
  /** As a sentence counts them: connections: 3. */
  readonly counted: Words
  /** What an end of a bridge is. */
  readonly bridge: string
  /** Types of items in custom subscriptions: one access by its id; or all of them as one, and each by its index, too. */
  readonly items:
    | { readonly access: string }
    | { readonly whole: string; readonly index: string; readonly access: string }
}

export const products = {
  configs: {
    payments: { bought: 'new_config', renewed: 'renewal' },
    rule: 'config',
    titles: {
      one: { ru: 'Конфигурация VPN', en: 'VPN configuration' },
      many: { ru: 'Конфигурации VPN', en: 'VPN configurations' },
    },
    counted: { ru: 'подключений', en: 'connections' },
    bridge: 'config',
    items: { access: 'user_config' },
  },
  paid_options: {
    // Customers buy one again rather than renew it.
    payments: { bought: 'paid_option', renewed: 'paid_option' },
    rule: 'paid_option',
    titles: {
      one: { ru: 'Платная опция', en: 'Paid option' },
      many: { ru: 'Платные опции', en: 'Paid options' },
    },
    counted: { ru: 'пакетов серверов', en: 'server packs' },
    bridge: 'paid_option',
    items: { whole: 'paid_option', index: 'paid_option_index', access: 'paid_option_config' },
  },
  cloud_servers: {
    payments: { bought: 'cloud_server', renewed: 'renewal' },
    rule: 'cloud_server',
    titles: {
      one: { ru: 'Облачный сервер', en: 'Cloud server' },
      many: { ru: 'Облачные серверы', en: 'Cloud servers' },
    },
    counted: { ru: 'своих серверов', en: 'servers of your own' },
    bridge: 'cloud',
    items: { access: 'cloud_server_config' },
  },
} as const satisfies Readonly<Record<string, ProductNames>>

export type ProductClass = keyof typeof products
/** Money for the balance is ordered too, and lasts for ever. */
export type OrderedProduct = ProductClass | 'balance'
