import type { configTariffRows } from '@sallyport/contract/operator/catalogue/config-tariffs'
import { canonicalJson } from '@sallyport/domain/text/canonical-json'
import type { Handlers } from '../../../core/call.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import type { Db } from '../../../db/client.ts'
import { wholeOrPage } from '../common/pages.ts'
import { type Providers, payableMethods } from '../common/payable-methods.ts'
import { storeTariffs } from '../common/tariff-queries.ts'
import { checkedTariffs, shownTariffs } from '../common/tariffs.ts'
import { requireVersion } from '../common/versions.ts'
import { lockConfigTariffs, raiseConfigTariffs, readConfigTariffs } from './queries.ts'

/** What configurations cost. */

const configs = { product: 'configs', productId: null } as const

const readShown = async (db: Db, at: { readonly providers: Providers; readonly now: number }) => {
  const { version, tariffs } = await readConfigTariffs(db)
  const shown = shownTariffs(tariffs, await payableMethods(db, at))
  return shown.map((tariff) => ({ ...tariff, version }))
}

type Shown = Awaited<ReturnType<typeof readShown>>

/** Without what is not of the tariff itself. */
const noted = (tariffs: Shown) => ({
  tariffs: tariffs.map(({ id, days, prices }) => ({ id, days, prices })),
})

const isSame = (one: Shown, other: Shown): boolean =>
  canonicalJson(noted(one)) === canonicalJson(noted(other))

export const configTariffHandlers: Handlers<typeof configTariffRows> = {
  showConfigTariffs: async (call) => wholeOrPage(await readShown(call.db, call), call.query),

  changeConfigTariffs: (call) => async (tx) => {
    const version = await lockConfigTariffs(tx)
    const before = await readShown(tx, call)
    const hasSeenNone = call.body.version === 0 && before.length === 0
    if (!hasSeenNone) requireVersion(call.body.version, { version }, before)
    await storeTariffs(tx, configs, await checkedTariffs(tx, call.body.tariffs))
    const after = await readShown(tx, call)
    if (isSame(before, after)) return unchanged(after)
    await raiseConfigTariffs(tx)
    const shown = after.map((tariff) => ({ ...tariff, version: version + 1 }))
    return audited(shown, { before: noted(before), after: noted(after) })
  },
}
