import type { Operation } from '@sallyport/contract/operation'
import { allOperations, type OperationName, type Table } from '@sallyport/contract/tables'
import type { Handler, Handlers } from '../core/call.ts'
import { agentHandlers } from '../features/agents/handlers.ts'
import { cloudServerHandlers } from '../features/cloud-servers/handlers.ts'
import { configHandlers } from '../features/configs/handlers.ts'
import { customSubscriptionHandlers } from '../features/custom-subscriptions/handlers.ts'
import { deliveryHandlers } from '../features/delivery/handlers.ts'
import { deviceHandlers } from '../features/devices/handlers.ts'
import { authTableHandlers, sessionTableHandlers } from '../features/identity/handlers.ts'
import { locationHandlers } from '../features/locations/handlers.ts'
import { operatorCabinetHandlers } from '../features/operator/cabinet/handlers.ts'
import { operatorCatalogueHandlers } from '../features/operator/catalogue/handlers.ts'
import { operatorCloudHandlers } from '../features/operator/clouds/handlers.ts'
import { operatorDeliveryHandlers } from '../features/operator/delivery/handlers.ts'
import { operatorFiguresHandlers } from '../features/operator/figures/handlers.ts'
import { operatorFleetHandlers } from '../features/operator/fleet/handlers.ts'
import { operatorPaidOptionHandlers } from '../features/operator/paid-options/handlers.ts'
import { operatorMoneyHandlers } from '../features/operator/payments/handlers.ts'
import { operatorPeopleHandlers } from '../features/operator/people/handlers.ts'
import { operatorSettingsHandlers } from '../features/operator/settings/settings.ts'
import { operatorStaffHandlers } from '../features/operator/staff/handlers.ts'
import { operatorWebhookHandlers } from '../features/operator/webhooks/handlers.ts'
import { paidOptionHandlers } from '../features/paid-options/handlers.ts'
import { profileHandlers } from '../features/profile/handlers.ts'
import { type RunnableOperation, type RunnerParts, runnableOperation } from '../operations/run-operation.ts'

/** Everything that can be called, by whichever way callers come. */

/** A table without handlers does not compile. */
type HandlersByTable = { readonly [T in Table as T['name']]: Handlers<T['rows']> }

const handlersByTable: HandlersByTable = {
  configs: configHandlers,
  'cloud-servers': cloudServerHandlers,
  'paid-options': paidOptionHandlers,
  'custom-subscriptions': customSubscriptionHandlers,
  locations: locationHandlers,
  profile: profileHandlers,
  devices: deviceHandlers,
  delivery: deliveryHandlers,
  auth: authTableHandlers,
  session: sessionTableHandlers,
  'operator-people': operatorPeopleHandlers,
  'operator-catalogue': operatorCatalogueHandlers,
  'operator-fleet': operatorFleetHandlers,
  'operator-money': operatorMoneyHandlers,
  'operator-figures': operatorFiguresHandlers,
  'operator-settings': operatorSettingsHandlers,
  'operator-paid-options': operatorPaidOptionHandlers,
  'operator-clouds': operatorCloudHandlers,
  'operator-delivery': operatorDeliveryHandlers,
  'operator-cabinet': operatorCabinetHandlers,
  'operator-staff': operatorStaffHandlers,
  'operator-webhooks': operatorWebhookHandlers,
  agent: agentHandlers,
}

export type Operations = Readonly<Record<OperationName, RunnableOperation>>

export const everyOperation = (parts: RunnerParts): Operations => {
  const made = [...allOperations()].map(({ name, base, row, table }): [string, RunnableOperation] => {
    const handlers = handlersByTable[table.name as Table['name']] as Record<string, unknown>
    return [name, runnableOperation({ name, base, row }, handlers[name] as Handler<Operation>, parts)]
  })
  return Object.fromEntries(made) as Operations
}
