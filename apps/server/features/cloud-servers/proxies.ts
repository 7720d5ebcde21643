import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import type { Handlers } from '../../core/call.ts'
import { lockActive, ownerOf } from '../../core/clouds/customer-machines.ts'
import { changeTitle } from '../../core/vpn/access/reads.ts'
import {
  addStandaloneProxy,
  changeStandaloneProxy,
  deleteFromMachine,
  listStandaloneProxies,
} from '../../core/vpn/operations/standalone-proxies.ts'
import { inTransaction } from '../../db/client.ts'
import { contextOf, placeOn } from './configs.ts'

/** Proxies on the customer's machine, as many as wanted. */
export const proxyHandlers: Pick<
  Handlers<typeof cloudServers>,
  | 'listCloudProxies'
  | 'createCloudProxy'
  | 'changeCloudProxyProtocol'
  | 'changeCloudProxyTitle'
  | 'deleteCloudProxy'
> = {
  listCloudProxies: async (call) => listStandaloneProxies(await contextOf(call, call.params.server_id), true),

  createCloudProxy: (call) => {
    const { userId, params, body, now } = call
    return inTransaction(call.db, async (tx) => {
      const { term, machine } = await lockActive(tx, userId, params.server_id, now)
      const owner = ownerOf(userId, { id: machine.id, term_id: term.id })
      const place = await placeOn(tx, term.id, machine.location_id)
      const wanted = { protocol: body.protocol, title: null, asProxy: true }
      return addStandaloneProxy(tx, { ...call, owner }, place, wanted)
    })
  },

  changeCloudProxyProtocol: async (call) =>
    changeStandaloneProxy(
      await contextOf(call, call.params.server_id),
      call.params.proxy_id,
      call.body.protocol,
    ),

  changeCloudProxyTitle: async (call) => {
    const { owner } = await contextOf(call, call.params.server_id)
    return changeTitle(call.db, owner, call.params.proxy_id, call.body.title, true)
  },

  deleteCloudProxy: async (call) =>
    deleteFromMachine(await contextOf(call, call.params.server_id), call.params.proxy_id, true),
}
