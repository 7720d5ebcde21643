import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import {
  defaultTemplateText,
  problemOf,
  type TemplateKind,
  templateKinds,
} from '@sallyport/domain/delivery/templates/template'
import type { Handlers } from '../../../core/call.ts'
import {
  findTemplate,
  listTemplates,
  lockDeliverySettings,
  readDeliverySettings,
  removeTemplate,
  writeTemplate,
} from '../../../core/delivery/delivery-settings.ts'
import { requireXrayTemplate } from '../../../core/delivery/template-trial.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import type { Db } from '../../../db/client.ts'
import { requireVersion } from '../common/versions.ts'

/** What whole configs are made of. Kept as it was written: whoever edits it finds it as it was. */

const requireKind = (name: string): TemplateKind => {
  const kind = templateKinds.find((known) => known === name)
  if (!kind) throw new ApiError('NOT_FOUND')
  return kind
}

/** The one in use: the operator's own, or the usual one. */
const readTemplate = async (db: Db, kind: TemplateKind) => {
  const own = await findTemplate(db, kind)
  const { version } = await readDeliverySettings(db)
  return { kind, is_own: own !== undefined, template: own?.template ?? defaultTemplateText(kind), version }
}

type Shown = Awaited<ReturnType<typeof readTemplate>>

/** The text itself would fill a log that is for ever. */
const noted = ({ is_own, template }: Shown) => ({ is_own, bytes: Buffer.byteLength(template) })

export const deliveryTemplateHandlers: Pick<
  Handlers<typeof operatorDelivery>,
  'listDeliveryTemplates' | 'showDeliveryTemplate' | 'changeDeliveryTemplate' | 'resetDeliveryTemplate'
> = {
  listDeliveryTemplates: async ({ db, query }) => {
    const { version } = await readDeliverySettings(db)
    const changedAt = new Map((await listTemplates(db)).map((own) => [own.kind, own.changed_at]))
    return templateKinds.slice(0, query.limit).map((kind) => ({
      kind,
      is_own: changedAt.has(kind),
      changed_at: changedAt.get(kind) ?? null,
      version,
    }))
  },

  showDeliveryTemplate: ({ db, params }) => readTemplate(db, requireKind(params.kind)),

  changeDeliveryTemplate: async ({ xray, operatorId, params, body: { template, version }, now }) => {
    const kind = requireKind(params.kind)
    const problem = problemOf(kind, template)
    if (problem !== null) throw badRequest('template', problem)
    // Every customer without a template of their own gets this one: the engine reads it first too.
    if (kind === 'xray') await requireXrayTemplate(xray, template, `operator:${operatorId}`)
    return async (tx) => {
      await lockDeliverySettings(tx)
      const before = await readTemplate(tx, kind)
      requireVersion(version, before)
      await writeTemplate(tx, { kind, template, changed_at: now })
      const after = await readTemplate(tx, kind)
      return audited(after, { before: noted(before), after: noted(after) })
    }
  },

  resetDeliveryTemplate: ({ params }) => {
    const kind = requireKind(params.kind)
    return async (tx) => {
      await lockDeliverySettings(tx)
      const before = await readTemplate(tx, kind)
      if (!(await removeTemplate(tx, kind))) return unchanged(before)
      const after = await readTemplate(tx, kind)
      return audited(after, { before: noted(before), after: noted(after) })
    }
  },
}
