import type { TableName } from '@sallyport/contract/tables'
import { insertTrial } from '../../apps/server/core/fleet/trials.ts'
import { enrolNode, signNodeToken } from './node.ts'
import * as customers from './owners/customers.ts'
import * as operators from './owners/operators.ts'
import type { MakeOwner } from './owners/owner.ts'

/** For every table whose paths name things: somebody who owns one of each, made anew at every call. */

const agent: MakeOwner = async (service) => {
  const { db, vault, bus } = service.running.services
  const { nodeId, privateKey } = await enrolNode(service, 1)
  const trial = await insertTrial(db, { vault, bus, now: service.clock.now() }, nodeId, '{}')
  return { token: await signNodeToken(nodeId, privateKey), ids: { 'trials/:id': trial } }
}

export const owners: Readonly<Partial<Record<TableName, MakeOwner>>> = {
  configs: customers.configs,
  'cloud-servers': customers.cloudServers,
  'paid-options': customers.paidOptions,
  'custom-subscriptions': customers.customSubscriptions,
  profile: customers.profile,
  devices: customers.devices,
  delivery: customers.delivery,
  session: customers.session,
  'operator-people': operators.operatorPeople,
  'operator-catalogue': operators.operatorCatalogue,
  'operator-fleet': operators.operatorFleet,
  'operator-money': operators.operatorMoney,
  'operator-figures': operators.operatorFigures,
  'operator-settings': operators.operatorSettings,
  'operator-paid-options': operators.operatorPaidOptions,
  'operator-clouds': operators.operatorClouds,
  'operator-staff': operators.operatorStaff,
  'operator-webhooks': operators.operatorWebhooks,
  agent,
}
