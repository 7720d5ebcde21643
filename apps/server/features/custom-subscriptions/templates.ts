import type { templateRows } from '@sallyport/contract/customer/custom-subscriptions/templates'
import { badRequest } from '@sallyport/contract/errors'
import { defaultTemplate, templateProblem } from '@sallyport/domain/delivery/templates/template'
import { customRef } from '../../core/accounts/subscriptions.ts'
import type { Handlers } from '../../core/call.ts'
import { showTemplate, storeTemplate } from '../../core/subscriptions/templates.ts'

/** Kept as it was written: whoever edits it finds it as it was. */

const usual = JSON.stringify(defaultTemplate('xray'), null, 2)

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
    (await showTemplate(db, customRef(userId, params.id))).template ?? usual,

  changeXrayTemplate: async ({ db, userId, params, body: { template } }) => {
    const problem = templateProblem(template)
    if (problem !== null) throw badRequest('template', problem)
    await storeTemplate(db, customRef(userId, params.id), { template })
    return true
  },

  resetXrayTemplate: async ({ db, userId, params }) => {
    await storeTemplate(db, customRef(userId, params.id), { template: null })
    return true
  },
}
