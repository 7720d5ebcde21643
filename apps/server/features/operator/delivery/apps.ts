import { ApiError } from '@sallyport/contract/errors'
import type { BodyOf, DataOf } from '@sallyport/contract/operation'
import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import type { App } from '@sallyport/domain/delivery/apps/app'
import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { arrangeApps } from '@sallyport/domain/delivery/apps/arrange'
import type { Handlers } from '../../../core/call.ts'
import {
  lockDeliverySettings,
  readArrangement,
  type VersionedArrangement,
  writeArrangement,
} from '../../../core/delivery/delivery-settings.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { requireVersion } from '../common/versions.ts'

/** Which apps customers are shown. */

type Given = BodyOf<typeof operatorDelivery.arrangeApps>
type Shown = DataOf<typeof operatorDelivery.showApps>

const readApp = ({ import_template, checked_on, ...app }: Given['added'][number]): App => ({
  ...app,
  importTemplate: import_template,
  checkedOn: checked_on,
})

const shownApp = ({ importTemplate, checkedOn, opens: _ours, ...app }: App): Shown['added'][number] => ({
  ...app,
  platforms: [...app.platforms],
  stores: app.stores.map((store) => ({ ...store, platforms: [...store.platforms] })),
  formats: [...app.formats],
  protocols: [...app.protocols],
  import_template: importTemplate,
  checked_on: checkedOn,
})

/** Hidden ones too, in the place that they would have. */
const shown = (arrangement: VersionedArrangement): Shown => {
  const { order, hidden, added, version } = arrangement
  const { apps } = arrangeApps(catalogue, { ...arrangement, hidden: [] })
  return {
    order: [...order],
    hidden: [...hidden],
    added: added.map(shownApp),
    apps: apps.map(({ id, name, platforms }) => ({
      id,
      name,
      platforms: [...platforms],
      is_added: added.some((app) => app.id === id),
      is_hidden: hidden.includes(id),
    })),
    version,
  }
}

/** Fields as they were called in the request. */
const named = (path: string): string => path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const appHandlers: Pick<Handlers<typeof operatorDelivery>, 'showApps' | 'arrangeApps'> = {
  showApps: async ({ db }) => shown(await readArrangement(db)),

  arrangeApps: ({ body }) => {
    const arrangement = { order: body.order, hidden: body.hidden, added: body.added.map(readApp) }
    const { problems } = arrangeApps(catalogue, arrangement)
    if (problems.length > 0) {
      throw new ApiError(
        'BAD_REQUEST',
        problems.map(({ path, problem }) => ({ path: named(path), problem })),
      )
    }
    return async (tx) => {
      await lockDeliverySettings(tx)
      const before = await readArrangement(tx)
      requireVersion(body.version, shown(before))
      await writeArrangement(tx, arrangement)
      const after = await readArrangement(tx)
      return audited(shown(after), { before, after })
    }
  },
}
