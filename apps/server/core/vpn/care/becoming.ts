import type { SettledConnection } from '@sallyport/contract/customer/shapes'
import { ApiError } from '@sallyport/contract/errors'
import { type OptionSet, optionNames, type Protocol } from '@sallyport/contract/shapes'
import { optionProblems } from '@sallyport/domain/vpn/option-rules'
import { inTransaction } from '../../../db/client.ts'
import { releasePort } from '../../fleet/node-ports.ts'
import { place } from '../../fleet/placements.ts'
import { canCarry } from '../../fleet/servers.ts'
import { holdLive } from '../access/held.ts'
import { fitParts, storeParts } from '../access/personal-parts.ts'
import { updateAccess } from '../access/rows.ts'
import { type Care, showAfter } from './care.ts'
import { toSettledConnection } from './shown.ts'

type Wanted = OptionSet & { readonly protocol: Protocol; readonly location_id: number }

/** A configuration whose protocol is a proxy's becomes one of any other, where it stands. */
export const becomeConfig = (care: Care, id: number, wanted: Wanted): Promise<SettledConnection> =>
  inTransaction(care.db, async (tx) => {
    const { owner, bus, now } = care
    const { protocol, location_id: locationId } = wanted
    const access = await holdLive(tx, owner, id, now)
    const problems = optionProblems({ protocol, locationId, options: wanted })
    if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
    const { node_id: nodeId, server_id: serverId } = access
    const scope = owner.scope && { scope: owner.scope }
    if (!(await canCarry(tx, serverId, { protocol, now, ...scope }))) {
      throw new ApiError('NO_SERVER_AVAILABLE')
    }
    const options = optionNames.filter((name) => wanted[name])
    await releasePort(tx, nodeId, id)
    await storeParts(tx, id, await fitParts(tx, care, id, { nodeId, protocol, options }))
    await updateAccess(tx, id, { protocol, options })
    await place(tx, bus, { nodeId, serverId, accessId: id, isPresent: true })
    return toSettledConnection(care.vault, await showAfter(tx, care, id))
  })
