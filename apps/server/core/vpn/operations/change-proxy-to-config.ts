import { randomBytes } from 'node:crypto'
import type { SettledConnection } from '@sallyport/contract/customer/shapes'
import { ApiError } from '@sallyport/contract/errors'
import { type Protocol, type SwitchSet, switchNames } from '@sallyport/contract/shapes'
import { switchProblems } from '@sallyport/domain/vpn/switch-rules'
import { inTransaction } from '../../../db/client.ts'
import { releasePort } from '../../fleet/node-ports.ts'
import { place } from '../../fleet/placements.ts'
import { canCarry } from '../../fleet/servers.ts'
import { lockLive } from '../access/locked-access.ts'
import { fitParts, storeParts } from '../access/personal-parts.ts'
import { updateAccess } from '../access/rows.ts'
import { type AccessContext, showAfter } from './access-context.ts'
import { toSettledConnection } from './config-view.ts'

type Wanted = SwitchSet & { readonly protocol: Protocol; readonly location_id: number }

/** A configuration whose protocol is a proxy's becomes one of any other, where it stands. */
export const changeProxyToConfig = (
  context: AccessContext,
  id: number,
  wanted: Wanted,
): Promise<SettledConnection> =>
  inTransaction(context.db, async (tx) => {
    const { owner, bus, now } = context
    const { protocol, location_id: locationId } = wanted
    const access = await lockLive(tx, owner, id, now)
    const problems = switchProblems({ protocol, locationId, options: wanted })
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    const { node_id: nodeId, server_id: serverId } = access
    const scope = owner.scope && { scope: owner.scope }
    if (!(await canCarry(tx, serverId, { protocol, isNew: false, now, ...scope }))) {
      throw new ApiError('NO_SERVER_AVAILABLE')
    }
    const options = switchNames.filter((name) => wanted[name])
    await releasePort(tx, nodeId, id)
    await storeParts(tx, id, await fitParts(tx, context, id, { nodeId, protocol, options }))
    await updateAccess(tx, id, { protocol, options, credential_nonce: randomBytes(16) })
    await place(tx, bus, { nodeId, serverId, accessId: id, isPresent: true })
    return toSettledConnection(context.vault, await showAfter(tx, context, id))
  })
