import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { operatorSettings } from '@sallyport/contract/operator/settings'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import {
  readSettings,
  type SettingKey,
  settingDefaults,
  writeSetting,
} from '../../../core/kernel/settings.ts'
import { isInner } from '../../../core/sales/prices.ts'
import { freshRates } from '../../../core/sales/rates.ts'
import type { PaymentProvider } from '../../../ports/payments.ts'
import { unitsOf } from '../common/amounts.ts'
import { usualPage } from '../common/search.ts'
import {
  listAlerts,
  listAudit,
  listMethods,
  lockMethod,
  type MethodRow,
  resolveAlert,
  updateMethod,
} from './queries.ts'

type Providers = ReadonlyMap<string, PaymentProvider>

/** By the same rule as the shop: switched on, somebody to take the money, and a price in roubles. */
const shownMethod = (method: MethodRow, providers: Providers, rates: ReadonlyMap<string, number>) => ({
  ...method,
  min_amount: shown(method.min_amount, method.currency),
  is_available:
    method.is_active &&
    (isInner(method.key) || (method.provider !== null && providers.has(method.provider))) &&
    rates.has(method.currency),
})

const checkedProvider = (method: MethodRow, wanted: string, providers: Providers): string => {
  if (isInner(method.key)) {
    throw badRequest('provider', `${method.key} is paid inside the service and has no provider`)
  }
  const possible = [...providers.values()]
    .filter(({ methods, currencies }) => methods.includes(method.key) && currencies.includes(method.currency))
    .map(({ name }) => name)
  if (possible.includes(wanted)) return wanted
  const choice = possible.length > 0 ? `choose ${possible.join(' or ')}` : 'no configured provider does'
  throw badRequest('provider', `does not take ${method.key} in ${method.currency} here; ${choice}`)
}

const settingKeys = Object.keys(settingDefaults) as SettingKey[]

export const settingsHandlers: Pick<
  Handlers<typeof operatorSettings>,
  | 'listPaymentMethods'
  | 'changePaymentMethod'
  | 'showSettings'
  | 'changeSettings'
  | 'listAlerts'
  | 'resolveAlert'
  | 'listAudit'
> = {
  listPaymentMethods: async ({ db, providers, now }) => {
    const rates = await freshRates(db, now)
    return (await listMethods(db)).map((method) => shownMethod(method, providers, rates))
  },

  changePaymentMethod:
    ({ providers, params, body, now }) =>
    async (tx) => {
      const before = await lockMethod(tx, params.id)
      if (!before) throw new ApiError('NOT_FOUND')
      const { provider, min_amount: minimum, is_active = before.is_active } = body
      const changed: MethodRow = {
        ...before,
        is_active,
        provider: provider === undefined ? before.provider : checkedProvider(before, provider, providers),
        min_amount:
          minimum === undefined ? before.min_amount : unitsOf('min_amount', minimum, before.currency),
      }
      await updateMethod(tx, changed)
      const rates = await freshRates(tx, now)
      const after = shownMethod(changed, providers, rates)
      return audited(after, { before: shownMethod(before, providers, rates), after })
    },

  showSettings: ({ db }) => readSettings(db),

  changeSettings:
    ({ body, now }) =>
    async (tx) => {
      const before = await readSettings(tx)
      for (const key of settingKeys) {
        const value = body[key]
        if (value !== undefined) await writeSetting(tx, key, value, now)
      }
      const after = { ...before, ...body }
      return audited(after, { before, after })
    },

  listAlerts: ({ db, query }) => {
    const { limit = usualPage, before, is_open: isOpen } = query
    return listAlerts(db, { limit, before, isOpen })
  },

  resolveAlert:
    ({ operatorId, params, body, now }) =>
    async (tx) => {
      const alert = await resolveAlert(tx, params.id, operatorId, now)
      if (!alert) throw new ApiError('NOT_FOUND')
      return audited(true, { details: { ...alert, ...body } })
    },

  listAudit: ({ db, query }) => {
    const { limit = usualPage, before, action, subject, operator_id: operatorId } = query
    return listAudit(db, { limit, before, action, subject, operatorId })
  },
}
