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
} from '../../../core/delivery/delivery-settings.ts'
import { requireXrayTemplate } from '../../../core/delivery/template-trial.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'

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

  changeDeliveryTemplate: async ({ xray, operatorId, params, body: { template }, now }) => {
    const kind = requireKind(params.kind)
    const problem = problemOf(kind, template)
    if (problem !== null) throw badRequest('template', problem)
    // Every customer without a template of their own gets this one: the engine reads it first too.
    if (kind === 'xray') await requireXrayTemplate(xray, template, `operator:${operatorId}`)
    return async (tx) => {
      await writeTemplate(tx, { kind, template, changed_at: now })
      // The text itself would fill a log that is for ever.
      const details = { bytes: Buffer.byteLength(template) }
      return audited({ kind, is_own: true, template }, { details })
    }
  },

  resetDeliveryTemplate: ({ params }) => {
    const kind = requireKind(params.kind)
    return async (tx) =>
      (await removeTemplate(tx, kind)) ? audited(usual(kind), {}) : unchanged(usual(kind))
  },
}
