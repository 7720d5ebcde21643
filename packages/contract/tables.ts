import { agent } from './agent/operations.ts'
import { auth } from './customer/auth.ts'
import { cloudServers } from './customer/cloud-servers/cloud-servers.ts'
import { configs } from './customer/configs.ts'
import { customSubscriptions } from './customer/custom-subscriptions/custom-subscriptions.ts'
import { delivery } from './customer/delivery.ts'
import { devices } from './customer/devices.ts'
import { locations } from './customer/locations.ts'
import { paidOptions } from './customer/paid-options/paid-options.ts'
import { profile } from './customer/profile.ts'
import { session } from './customer/session.ts'
import { basePaths, type Operation, type OperationTable } from './operation.ts'
import { operatorCabinet } from './operator/cabinet.ts'
import { operatorCatalogue } from './operator/catalogue/catalogue.ts'
import { operatorClouds } from './operator/clouds.ts'
import { operatorDelivery } from './operator/delivery.ts'
import { operatorFigures } from './operator/figures/figures.ts'
import { operatorFleet } from './operator/fleet/fleet.ts'
import { operatorMoney } from './operator/money.ts'
import { operatorPaidOptions } from './operator/paid-options.ts'
import { operatorPeople } from './operator/people/people.ts'
import { operatorSettings } from './operator/settings.ts'
import { operatorStaff } from './operator/staff/staff.ts'
import { operatorWebhooks } from './operator/webhooks/webhooks.ts'
import type { Words } from './shapes.ts'

/** Who calls the operations of a table; each has an address and documents of its own. */
export const audiences = ['customer', 'operator', 'agent'] as const
export type Audience = (typeof audiences)[number]

export interface ContractTable {
  readonly name: string
  readonly base: string
  readonly title: Words
  readonly audience: Audience
  readonly rows: OperationTable
}

const bases = { customer: basePaths.v1, operator: basePaths.operator, agent: basePaths.agent } as const
export const baseOf = (audience: Audience): string => bases[audience]

const forCustomers = { base: bases.customer, audience: 'customer' } as const
const forOperators = { base: bases.operator, audience: 'operator' } as const
const forAgents = { base: bases.agent, audience: 'agent' } as const

/** Everything there is to call: routes, documents, clients and the guard test walk this list. */
export const tables = [
  {
    ...forCustomers,
    name: 'configs',
    title: { en: 'VPN configurations', ru: 'VPN-конфигурации' },
    rows: configs,
  },
  {
    ...forCustomers,
    name: 'cloud-servers',
    title: { en: 'Cloud servers', ru: 'Облачные серверы' },
    rows: cloudServers,
  },
  {
    ...forCustomers,
    name: 'paid-options',
    title: { en: 'Paid options', ru: 'Платные опции' },
    rows: paidOptions,
  },
  {
    ...forCustomers,
    name: 'custom-subscriptions',
    title: { en: 'Custom subscriptions', ru: 'Собранные подписки' },
    rows: customSubscriptions,
  },
  {
    ...forCustomers,
    name: 'locations',
    title: { en: 'Locations and keys', ru: 'Локации и ключи' },
    rows: locations,
  },
  { ...forCustomers, name: 'profile', title: { en: 'Profile', ru: 'Профиль' }, rows: profile },
  { ...forCustomers, name: 'devices', title: { en: 'Devices', ru: 'Устройства' }, rows: devices },
  {
    ...forCustomers,
    name: 'delivery',
    title: { en: 'Apps and the subscription', ru: 'Приложения и подписка' },
    rows: delivery,
  },
  { ...forCustomers, name: 'auth', title: { en: 'Signing in', ru: 'Вход' }, rows: auth },
  {
    ...forCustomers,
    name: 'session',
    title: { en: 'Account access', ru: 'Доступ к аккаунту' },
    rows: session,
  },
  {
    ...forOperators,
    name: 'operator-people',
    title: { en: 'Operator: customers', ru: 'Оператор: клиенты' },
    rows: operatorPeople,
  },
  {
    ...forOperators,
    name: 'operator-catalogue',
    title: { en: 'Operator: catalogue', ru: 'Оператор: каталог' },
    rows: operatorCatalogue,
  },
  {
    ...forOperators,
    name: 'operator-fleet',
    title: { en: 'Operator: nodes and servers', ru: 'Оператор: узлы и серверы' },
    rows: operatorFleet,
  },
  {
    ...forOperators,
    name: 'operator-money',
    title: { en: 'Operator: money', ru: 'Оператор: деньги' },
    rows: operatorMoney,
  },
  {
    ...forOperators,
    name: 'operator-figures',
    title: { en: 'Operator: orders, ledger and figures', ru: 'Оператор: заказы, проводки и цифры' },
    rows: operatorFigures,
  },
  {
    ...forOperators,
    name: 'operator-settings',
    title: { en: 'Operator: settings, alerts and audit', ru: 'Оператор: настройки, тревоги и журнал' },
    rows: operatorSettings,
  },
  {
    ...forOperators,
    name: 'operator-paid-options',
    title: { en: 'Operator: paid options', ru: 'Оператор: платные опции' },
    rows: operatorPaidOptions,
  },
  {
    ...forOperators,
    name: 'operator-clouds',
    title: { en: 'Operator: cloud servers', ru: 'Оператор: облачные серверы' },
    rows: operatorClouds,
  },
  {
    ...forOperators,
    name: 'operator-delivery',
    title: { en: 'Operator: delivery to apps', ru: 'Оператор: доставка в приложения' },
    rows: operatorDelivery,
  },
  {
    ...forOperators,
    name: 'operator-cabinet',
    title: { en: 'Operator: the cabinet of customers', ru: 'Оператор: кабинет клиентов' },
    rows: operatorCabinet,
  },
  {
    ...forOperators,
    name: 'operator-staff',
    title: { en: 'Operator: operators, signing in, tokens', ru: 'Оператор: операторы, вход, токены' },
    rows: operatorStaff,
  },
  {
    ...forOperators,
    name: 'operator-webhooks',
    title: { en: 'Operator: events for other programs', ru: 'Оператор: события для других программ' },
    rows: operatorWebhooks,
  },
  { ...forAgents, name: 'agent', title: { en: 'Node agents', ru: 'Агенты узлов' }, rows: agent },
] as const satisfies readonly ContractTable[]

export type Table = (typeof tables)[number]
export type TableName = Table['name']

export const tablesFor = (audience: Audience): readonly ContractTable[] =>
  tables.filter((table) => table.audience === audience)

type Joined<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Every row for an audience by its name. */
export type RowsFor<A extends Audience> = Joined<Extract<Table, { audience: A }>['rows']>
export const rowsFor = <A extends Audience>(audience: A): RowsFor<A> =>
  Object.assign({}, ...tablesFor(audience).map((table) => table.rows)) as RowsFor<A>

type KeyOfEach<T> = T extends unknown ? keyof T & string : never
/** What can be called at all. */
export type OperationName = KeyOfEach<Table['rows']>

export interface ContractOperation {
  readonly name: OperationName
  readonly base: string
  readonly row: Operation
  readonly table: ContractTable
}

export function* operationsOf(list: readonly ContractTable[]): Generator<ContractOperation> {
  for (const table of list) {
    for (const [name, row] of Object.entries(table.rows)) {
      yield { name: name as OperationName, base: table.base, row, table }
    }
  }
}

export const allOperations = (): Generator<ContractOperation> => operationsOf(tables)
