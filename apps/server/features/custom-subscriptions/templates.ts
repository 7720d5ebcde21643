import type { templateRows } from '@sallyport/contract/customer/custom-subscriptions/templates'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { trialConfigs } from '@sallyport/domain/delivery/formats/xray-trial'
import { defaultTemplateText, readTemplate } from '@sallyport/domain/delivery/templates/template'
import type { JsonObject } from '@sallyport/domain/text/strict-json'
import { customRef } from '../../core/accounts/subscriptions.ts'
import type { Handlers } from '../../core/call.ts'
import { findTemplate } from '../../core/subscriptions/delivery-settings.ts'
import { showTemplate, storeTemplate } from '../../core/subscriptions/templates.ts'
import type { Db } from '../../db/client.ts'
import { XrayBusy, type XrayReader } from '../../ports/xray.ts'

/** Kept as it was written: whoever edits it finds it as it was. */

/** The operator's, where there is one. */
const usual = async (db: Db): Promise<string> =>
  (await findTemplate(db, 'xray'))?.template ?? defaultTemplateText('xray')

/** The engine, where there is one, reads it as apps will get it. */
const askEngine = async (xray: XrayReader, template: JsonObject): Promise<void> => {
  for (const config of trialConfigs(template)) {
    const refusal = await xray.refusalOf(config).catch((error) => {
      if (!(error instanceof XrayBusy)) throw error
      throw new ApiError('UNAVAILABLE', [
        { path: '', problem: 'too many templates are being checked; nothing was changed, try again' },
      ])
    })
    if (refusal !== null) throw badRequest('template', `Xray refuses it: ${refusal}`)
  }
}

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
    const read = readTemplate('xray', template)
    if ('problem' in read) throw badRequest('template', read.problem)
    const ref = customRef(userId, params.id)
    // Whoever has no such subscription has nothing to ask an engine about.
    await showTemplate(db, ref)
    await askEngine(xray, read.template)
    await storeTemplate(db, ref, { template })
    return true
  },

  resetXrayTemplate: async ({ db, userId, params }) => {
    await storeTemplate(db, customRef(userId, params.id), { template: null })
    return true
  },
}
