import { agent } from './agent/agent.ts'
import { auth } from './customer/auth.ts'
import { configs } from './customer/configs.ts'
import { devices } from './customer/devices.ts'
import { locations } from './customer/locations.ts'
import { profile } from './customer/profile.ts'
import { session } from './customer/session.ts'
import { basePaths, type Operation, type OperationTable } from './operation.ts'
import { operatorMoney } from './operator/money.ts'
import { operatorOffice } from './operator/office.ts'
import { operator } from './operator/operator.ts'

export type Audience = 'customer' | 'operator' | 'agent'

export interface ContractTable {
  readonly name: string
  readonly base: string
  readonly title: { readonly ru: string; readonly en: string }
  readonly audience: Audience
  readonly rows: OperationTable
}

const v1 = { base: basePaths.v1, audience: 'customer' } as const

/** What customers and their programs call; the OpenAPI document and the typed client are made from these. */
export const customerTables = [
  { ...v1, name: 'configs', title: { ru: 'VPN-конфигурации', en: 'VPN configurations' }, rows: configs },
  { ...v1, name: 'locations', title: { ru: 'Локации и ключи', en: 'Locations and keys' }, rows: locations },
  { ...v1, name: 'profile', title: { ru: 'Профиль', en: 'Profile' }, rows: profile },
  { ...v1, name: 'devices', title: { ru: 'Устройства', en: 'Devices' }, rows: devices },
  { ...v1, name: 'auth', title: { ru: 'Вход', en: 'Signing in' }, rows: auth },
  { ...v1, name: 'session', title: { ru: 'Доступ к аккаунту', en: 'Account access' }, rows: session },
] as const satisfies readonly ContractTable[]

const forOperators = { base: basePaths.operator, audience: 'operator' } as const

export const tables = [
  ...customerTables,
  { ...forOperators, name: 'operator', title: { ru: 'API оператора', en: 'Operator API' }, rows: operator },
  {
    ...forOperators,
    name: 'operator-money',
    title: { ru: 'Оператор: деньги', en: 'Operator: money' },
    rows: operatorMoney,
  },
  {
    ...forOperators,
    name: 'operator-office',
    title: { ru: 'Оператор: клиенты и настройки', en: 'Operator: customers and settings' },
    rows: operatorOffice,
  },
  {
    name: 'agent',
    base: basePaths.agent,
    audience: 'agent',
    title: { ru: 'Агенты узлов', en: 'Node agents' },
    rows: agent,
  },
] as const satisfies readonly ContractTable[]

type KeyOfEach<T> = T extends unknown ? keyof T & string : never
type Joined<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never

export type CustomerOperations = Joined<(typeof customerTables)[number]['rows']>
/** Every row of the customer tables by its name. */
export const customerOperations = Object.assign(
  {},
  ...customerTables.map((table) => table.rows),
) as CustomerOperations

export type OperationName = KeyOfEach<(typeof tables)[number]['rows']>

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
