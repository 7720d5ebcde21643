import { createHappCryptoLink } from '@kastov/cryptohapp'
import type { customSubscriptions } from '@sallyport/contract/customer/custom-subscriptions/custom-subscriptions'
import { ApiError } from '@sallyport/contract/errors'
import type { Operation } from '@sallyport/contract/operation'
import { recordEvent } from '../../core/accounts/account-events.ts'
import { giveUpPlaces } from '../../core/accounts/devices/device-places.ts'
import { changeKey, customRef, openCustomSubscription } from '../../core/accounts/subscription-keys.ts'
import type { Call, Handlers } from '../../core/call.ts'
import { listAvailableItems } from '../../core/custom-subscriptions/available-items.ts'
import {
  deleteCustom,
  listCustom,
  lockRoomForOne,
  renameCustom,
  requireCustom,
} from '../../core/custom-subscriptions/custom-subscriptions.ts'
import { addItems, refuseWrongItems, replaceItems, showItems } from '../../core/custom-subscriptions/items.ts'
import { inTransaction } from '../../db/client.ts'
import { deviceHandlers } from './devices.ts'
import { templateHandlers } from './templates.ts'

type Table = typeof customSubscriptions

const refOf = ({ userId, params }: { readonly userId: number; readonly params: { readonly id: number } }) =>
  customRef(userId, params.id)

type ViewContext = Pick<Call<Operation>, 'vault' | 'now' | 'language'>

const askedBy = ({ vault, now, language }: ViewContext) => ({
  vault,
  now,
  inEnglish: language === 'en',
})

const create = (call: Call<Table['createCustomSubscription']>) => {
  const { db, vault, userId, now, body } = call
  const { title, items } = body
  refuseWrongItems(items)
  return inTransaction(db, async (tx) => {
    await lockRoomForOne(tx, userId)
    const { id, key } = await openCustomSubscription(tx, vault, { userId, title, now })
    const shown = await addItems(tx, customRef(userId, id), items, askedBy(call))
    return { id, title, subscription_key: key, items_count: shown.length, items: shown }
  })
}

const replace = (call: Call<Table['replaceSubscriptionItems']>) => {
  refuseWrongItems(call.body.items)
  return inTransaction(call.db, async (tx) => {
    const items = await replaceItems(tx, refOf(call), call.body.items, askedBy(call))
    return { ...(await requireCustom(tx, call.vault, refOf(call))), items }
  })
}

const resetKey = (call: Call<Table['resetSubscriptionKey']>) =>
  inTransaction(call.db, async (tx) => {
    const { vault, userId, now } = call
    const ref = refOf(call)
    if ((await changeKey(tx, vault, ref)) === undefined) throw new ApiError('NOT_FOUND')
    await giveUpPlaces(tx, ref)
    const details = { subscription_id: ref.subscriptionId }
    await recordEvent(tx, { userId, kind: 'subscription_key_changed', details, now })
    return requireCustom(tx, vault, ref)
  })

export const customSubscriptionHandlers: Handlers<Table> = {
  listCustomSubscriptions: ({ db, vault, userId }) => listCustom(db, vault, userId),

  listAvailableItems: ({ db, userId, now, language }) =>
    listAvailableItems(db, { userId, now, inEnglish: language === 'en' }),

  showCustomSubscription: async (call) => {
    const subscription = await requireCustom(call.db, call.vault, refOf(call))
    const items = await showItems(call.db, refOf(call), askedBy(call))
    return { ...subscription, items_count: items.length, items }
  },

  createCustomSubscription: create,

  renameCustomSubscription: (call) =>
    inTransaction(call.db, async (tx) => {
      await renameCustom(tx, refOf(call), call.body.title)
      return requireCustom(tx, call.vault, refOf(call))
    }),

  replaceSubscriptionItems: replace,
  resetSubscriptionKey: resetKey,

  deleteCustomSubscription: async (call) => {
    await deleteCustom(call.db, refOf(call))
    return true
  },

  showEncryptedLink: async (call) => {
    const { subscription_key: key } = await requireCustom(call.db, call.vault, refOf(call))
    const link = createHappCryptoLink(`${call.publicUrl()}/sub/${key}`, 'v4', true)
    if (link === null) throw new Error('The address of a subscription is too long to be encrypted for Happ')
    return link
  },

  ...templateHandlers,
  ...deviceHandlers,
}
