import type { templateRows } from '@sallyport/contract/customer/custom-subscriptions/templates'
import { defaultTemplateText } from '@sallyport/domain/delivery/templates/template'
import { customRef } from '../../core/accounts/subscription-keys.ts'
import type { Handlers } from '../../core/call.ts'
import { showTemplate, storeTemplate } from '../../core/custom-subscriptions/templates.ts'
import { findTemplate } from '../../core/delivery/delivery-settings.ts'
import { requireXrayTemplate } from '../../core/delivery/template-trial.ts'
import type { Db } from '../../db/client.ts'

/** Kept as it was written: whoever edits it finds it as it was. */

/** The operator's, where there is one. */
const usual = async (db: Db): Promise<string> =>
  (await findTemplate(db, 'xray'))?.template ?? defaultTemplateText('xray')

export const templateHandlers: Handlers<typeof templateRows> = {
  showTemplateSettings: async ({ db, userId, params }) => {
    const { is_enabled: enabled } = await showTemplate(db, customRef(userId, params.id))
    return { enabled }
  },

  changeTemplateSettings: async ({ db, userId, params, body: { enabled } }) => {
    await storeTemplate(db, customRef(userId, params.id), { is_enabled: enabled })
    return { enabled }
  },

  showXrayTemplate: async ({ db, userId, params }) =>
    (await showTemplate(db, customRef(userId, params.id))).template ?? usual(db),

  changeXrayTemplate: async ({ db, userId, params, body: { template }, xray }) => {
    const ref = customRef(userId, params.id)
    // Whoever has no such subscription has nothing to be checked: looking at a template costs more than a question.
    await showTemplate(db, ref)
    await requireXrayTemplate(xray, template, `customer:${userId}`)
    await storeTemplate(db, ref, { template })
    return true
  },

  resetXrayTemplate: async ({ db, userId, params }) => {
    await storeTemplate(db, customRef(userId, params.id), { template: null })
    return true
  },
}
