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
  removeTemplate,
  writeTemplate,
} from '../../../core/subscriptions/delivery-settings.ts'
import { inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'

/** What whole configs are made of. Kept as it was written: whoever edits it finds it as it was. */

const requireKind = (name: string): TemplateKind => {
  const kind = templateKinds.find((known) => known === name)
  if (!kind) throw new ApiError('NOT_FOUND')
  return kind
}

const usual = (kind: TemplateKind) => ({ kind, is_own: false, template: defaultTemplateText(kind) })

export const deliveryTemplateHandlers: Pick<
  Handlers<typeof operatorDelivery>,
  'listDeliveryTemplates' | 'showDeliveryTemplate' | 'changeDeliveryTemplate' | 'resetDeliveryTemplate'
> = {
  listDeliveryTemplates: async ({ db }) => {
    const changedAt = new Map((await listTemplates(db)).map((own) => [own.kind, own.changed_at]))
    return templateKinds.map((kind) => ({
      kind,
      is_own: changedAt.has(kind),
      changed_at: changedAt.get(kind) ?? null,
    }))
  },

  showDeliveryTemplate: async ({ db, params }) => {
    const kind = requireKind(params.kind)
    const own = await findTemplate(db, kind)
    return own ? { kind, is_own: true, template: own.template } : usual(kind)
  },

  changeDeliveryTemplate: async ({ db, operatorId, params, body: { template }, now }) => {
    const kind = requireKind(params.kind)
    const problem = problemOf(kind, template)
    if (problem !== null) throw badRequest('template', problem)
    return inTransaction(db, async (tx) => {
      await writeTemplate(tx, { kind, template, changed_at: now })
      // The text itself would fill a log that is for ever.
      const details = { bytes: Buffer.byteLength(template) }
      const subject = `template:${kind}`
      await audit(tx, { operatorId, action: 'changeDeliveryTemplate', subject, details, now })
      return { kind, is_own: true, template }
    })
  },

  resetDeliveryTemplate: async ({ db, operatorId, params, now }) => {
    const kind = requireKind(params.kind)
    return inTransaction(db, async (tx) => {
      if (await removeTemplate(tx, kind)) {
        const subject = `template:${kind}`
        await audit(tx, { operatorId, action: 'resetDeliveryTemplate', subject, details: {}, now })
      }
      return usual(kind)
    })
  },
}
