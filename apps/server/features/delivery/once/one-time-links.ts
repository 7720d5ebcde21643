import type { delivery } from '@sallyport/contract/customer/delivery'
import { mostListedLinks, mostWaitingLinks } from '@sallyport/contract/customer/delivery/one-time-links'
import { ApiError, conflict } from '@sallyport/contract/errors'
import type { DataOf } from '@sallyport/contract/operation'
import type { Call, Handlers } from '../../../core/call.ts'
import { guesserOf, oneTimeLinkGuess, requireGuess } from '../../../core/kernel/guesses.ts'
import { isOurOneTimeKey, newOneTimeKey } from '../../../core/kernel/tokens.ts'
import { sameBytes, sha256 } from '../../../core/kernel/vault.ts'
import { findAccess } from '../../../core/vpn/access/reads.ts'
import { toConnection } from '../../../core/vpn/operations/config-view.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { appsForAccess } from '../cabinet/offered-apps.ts'
import {
  countWaitingLocked,
  deleteLink,
  findLocationTitle,
  findOwnAccess,
  findSpent,
  forgetSpent,
  insertLink,
  listLinks,
  type Opened,
  spendLink,
} from './queries.ts'

/**
 * One connection for another device, without the account and without a link that works for ever in a chat. A page is opened by
 * whoever previews links; the key stands behind its #, and a press spends it.
 */

/** A parent comes round in the evening; what is forgotten in a chat is worth nothing the day after. */
const lifeSeconds = 24 * 3600
/** An answer that was lost, or a page that the phone threw away while the app was being installed. */
const sameAttemptSeconds = 15 * 60

type OpenCall = Call<typeof delivery.openOneTimeLink>
type Connection = DataOf<typeof delivery.openOneTimeLink>

const create = (call: Call<typeof delivery.createOneTimeLink>) =>
  inTransaction(call.db, async (tx) => {
    const { userId, vault, now, publicUrl } = call
    const { config_id: id } = call.body
    const waiting = await countWaitingLocked(tx, userId, now)
    const access = await findOwnAccess(tx, { userId, id, now })
    if (!access) throw new ApiError('NOT_FOUND')
    if (!access.is_delivered)
      throw conflict('config_id', 'has ended or is switched off; a link would show nothing')
    if (waiting >= mostWaitingLinks)
      throw conflict('', `${mostWaitingLinks} links wait to be opened; take one back first`)
    await forgetSpent(tx, userId, { now, most: mostListedLinks - mostWaitingLinks })
    const key = newOneTimeKey(vault)
    const times = { created_at: now, expires_at: now + lifeSeconds }
    const { credential_nonce } = access
    const link = { user_id: userId, access_id: id, credential_nonce, key_hash: sha256(key), ...times }
    return { id: await insertLink(tx, link), config_id: id, url: `${publicUrl()}/once#${key}`, ...times }
  })

/** Undefined where no server has it at the moment, and where its credentials have just become others. */
const connectionOf = async (
  tx: Db,
  { vault, language, now, body }: OpenCall,
  { access_id, credential_nonce, user_id, product }: Opened,
): Promise<Connection | undefined> => {
  const row = await findAccess(tx, { userId: user_id, product }, now, access_id)
  if (!row || !sameBytes(row.credential_nonce, credential_nonce)) return undefined
  const { connection_url, awg_config } = toConnection(vault, row)
  return {
    title: row.title ?? (await findLocationTitle(tx, row.location_id, language === 'en')),
    protocol: row.protocol,
    connection_url,
    ...(awg_config !== undefined && { awg_config }),
    expires_at: row.expires_at,
    apps: body.platform ? await appsForAccess(tx, row.protocol, body.platform) : [],
  }
}

const isWhole = (found: Partial<Opened>): found is Opened =>
  found.access_id != null && found.user_id != null && found.product != null

/** Undefined where there is nothing to show: the link is not spent then. */
const open = (call: OpenCall): Promise<Connection | undefined> =>
  inTransaction(call.db, async (tx) => {
    const { now, body } = call
    const { key, attempt } = body
    const opening = {
      keyHash: sha256(key),
      attemptHash: attempt === undefined ? null : sha256(attempt),
      now,
    }
    const first = await spendLink(tx, opening)
    if (first) {
      const connection = await connectionOf(tx, call, first)
      if (!connection) throw new ApiError('NOT_FOUND')
      return connection
    }
    const spent = await findSpent(tx, opening)
    if (!spent) return undefined
    const isAgain = spent.is_same_attempt && spent.used_at > now - sameAttemptSeconds
    const again = isAgain && isWhole(spent) ? await connectionOf(tx, call, spent) : undefined
    if (again) return again
    const details = [{ path: 'key', problem: 'was used already; ask for a new link' }]
    throw new ApiError('CONFLICT', details, undefined, undefined, { used_at: spent.used_at })
  })

/** Unknown, over, taken back: one and the same, and counted. */
const refuseUnknown = async (call: OpenCall): Promise<never> => {
  await requireGuess(call.db, oneTimeLinkGuess(guesserOf(call)))
  throw new ApiError('NOT_FOUND')
}

type Rows = 'listOneTimeLinks' | 'createOneTimeLink' | 'deleteOneTimeLink' | 'openOneTimeLink'

export const oneTimeLinkHandlers: Pick<Handlers<typeof delivery>, Rows> = {
  listOneTimeLinks: ({ db, userId }) => listLinks(db, userId, mostListedLinks),
  createOneTimeLink: create,
  deleteOneTimeLink: async ({ db, userId, params }) => {
    if (!(await deleteLink(db, userId, params.id))) throw new ApiError('NOT_FOUND')
    return true
  },
  openOneTimeLink: async (call) =>
    (isOurOneTimeKey(call.vault, call.body.key) ? await open(call) : undefined) ?? refuseUnknown(call),
}
