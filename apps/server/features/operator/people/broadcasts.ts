import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { BroadcastView, broadcastRows } from '@sallyport/contract/operator/people/broadcasts'
import { type Audience, countAudience } from '../../../core/broadcasts/audience.ts'
import { sendBroadcastsJob } from '../../../core/broadcasts/broadcast-job.ts'
import {
  audienceOf,
  type Broadcast,
  findBroadcast,
  insertBroadcast,
  listBroadcasts,
  lockBroadcast,
  stopBroadcast,
} from '../../../core/broadcasts/broadcasts.ts'
import { type Handlers, WithStatus } from '../../../core/call.ts'
import { findCustomers } from '../../../core/customers/find-customers.ts'
import { audited, previewed, unchanged } from '../../../core/kernel/audit.ts'
import { allowLongStatements } from '../../../core/kernel/jobs.ts'
import type { Vault } from '../../../core/kernel/vault.ts'
import type { Db } from '../../../db/client.ts'
import { usualPage } from '../common/search.ts'
import { listCustomers } from './search-queries.ts'

const sampleSize = 10

const shownBroadcast = (vault: Vault, broadcast: Broadcast) => {
  const audience = audienceOf(vault, broadcast)
  return {
    ...broadcast,
    view: 'view' in audience ? audience.view : null,
    search: 'search' in audience ? audience.search : null,
  }
}

interface Said {
  readonly view?: BroadcastView
  readonly search?: string
}

const audienceIn = ({ view, search }: Said): Audience => {
  if ((view === undefined) === (search === undefined)) {
    throw badRequest('view', 'name a view or a search, one of them; everybody is the view everyone')
  }
  if (view !== undefined) return { view }
  const said = (search as string).trim()
  if (said === '') throw badRequest('search', 'says nothing')
  return { search: said }
}

const sampleOf = async (db: Db, vault: Vault, audience: Audience, now: number) => {
  const asked =
    'search' in audience ? audience : { view: audience.view === 'everyone' ? undefined : audience.view }
  // More than are shown, since some may be gone.
  const { ids } = await findCustomers(db, vault, { ...asked, limit: 2 * sampleSize, now })
  const rows = await listCustomers(db, ids, now)
  return rows
    .filter((row) => row.deleted_at === null)
    .slice(0, sampleSize)
    .map(({ id, email }) => ({ id, email }))
}

export const broadcastHandlers: Handlers<typeof broadcastRows> = {
  listBroadcasts: async ({ db, vault, query }) => {
    const { limit = usualPage, before } = query
    return (await listBroadcasts(db, { limit, before })).map((broadcast) => shownBroadcast(vault, broadcast))
  },

  createBroadcast: ({ vault, kick, body, operatorId, now }) => {
    const audience = audienceIn(body)
    return async (tx) => {
      await allowLongStatements(tx)
      const total = await countAudience(tx, vault, audience, now)
      if (body.confirm !== true) {
        return previewed(new WithStatus(200, { total, sample: await sampleOf(tx, vault, audience, now) }))
      }
      const made = await insertBroadcast(tx, vault, {
        audience,
        contentRu: body.content_ru,
        contentEn: body.content_en,
        sendAt: body.send_at ?? now,
        total,
        operatorId,
        now,
      })
      kick(sendBroadcastsJob)
      const row = shownBroadcast(vault, made)
      const {
        search_sealed: _sealed,
        operator_id: _operator,
        looked_to: _from,
        looks_until: _to,
        ...after
      } = row
      return audited(new WithStatus(201, row), { id: made.id, after })
    }
  },

  showBroadcast: async ({ db, vault, params }) => {
    const broadcast = await findBroadcast(db, params.id)
    if (!broadcast) throw new ApiError('NOT_FOUND')
    return shownBroadcast(vault, broadcast)
  },

  stopBroadcast:
    ({ vault, params, now }) =>
    async (tx) => {
      const before = await lockBroadcast(tx, params.id)
      if (!before) throw new ApiError('NOT_FOUND')
      if (before.state === 'stopped') return unchanged(shownBroadcast(vault, before))
      if (before.state === 'done') throw conflict('id', 'is done: everybody has it')
      const after = await stopBroadcast(tx, params.id, now)
      return audited(shownBroadcast(vault, after), {
        before: { state: before.state, sent: before.sent },
        after: { state: after.state, sent: after.sent },
      })
    },
}
