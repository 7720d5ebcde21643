import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import type { Handlers } from '../../core/call.ts'
import { holdActive, ownerOf } from '../../core/clouds/own.ts'
import { changeTitle } from '../../core/vpn/access/reads.ts'
import { addStanding, changeStanding, deleteFromMachine, listStanding } from '../../core/vpn/care/standing.ts'
import { inTransaction } from '../../db/client.ts'
import { careOf, placeOn } from './configs.ts'

/** Proxies on the customer's machine, as many as wanted. */
export const proxyHandlers: Pick<
  Handlers<typeof cloudServers>,
  | 'listCloudProxies'
  | 'createCloudProxy'
  | 'changeCloudProxyProtocol'
  | 'changeCloudProxyTitle'
  | 'deleteCloudProxy'
> = {
  listCloudProxies: async (call) => listStanding(await careOf(call, call.params.server_id), true),

  createCloudProxy: (call) => {
    const { userId, params, body, now } = call
    return inTransaction(call.db, async (tx) => {
      const { term, machine } = await holdActive(tx, userId, params.server_id, now)
      const owner = ownerOf(userId, { id: machine.id, term_id: term.id })
      const place = await placeOn(tx, term.id, machine.location_id)
      const wanted = { protocol: body.protocol, title: null, asProxy: true }
      return addStanding(tx, { ...call, owner }, place, wanted)
    })
  },

  changeCloudProxyProtocol: async (call) =>
    changeStanding(await careOf(call, call.params.server_id), call.params.proxy_id, call.body.protocol),

  changeCloudProxyTitle: async (call) => {
    const { owner } = await careOf(call, call.params.server_id)
    return changeTitle(call.db, owner, call.params.proxy_id, call.body.title, true)
  },

  deleteCloudProxy: async (call) =>
    deleteFromMachine(await careOf(call, call.params.server_id), call.params.proxy_id, true),
}
