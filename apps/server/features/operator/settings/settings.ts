import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { Role } from '@sallyport/contract/operation'
import type { operatorSettings } from '@sallyport/contract/operator/settings'
import { fleetAlertKinds, wordsOfAlert } from '@sallyport/domain/text/alert-words'
import { isTimeZone } from '@sallyport/domain/time/local-time'
import type { Handlers } from '../../../core/call.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import {
  lockSettings,
  readSettings,
  type SettingKey,
  settingDefaults,
  writeSetting,
} from '../../../core/kernel/settings.ts'
import { usualPage } from '../common/search.ts'
import { requireVersion } from '../common/versions.ts'
import { alertExists, listAlerts, listAudit, lockAlert, noteTaken, resolveAlert } from './queries.ts'

/** Who looks after machines alone sees alerts about them alone: no sums and no customers. */
const kindsFor = (role: Role): readonly string[] | undefined =>
  role === 'technician' ? fleetAlertKinds : undefined

const settingKeys = Object.keys(settingDefaults) as SettingKey[]

export const operatorSettingsHandlers: Handlers<typeof operatorSettings> = {
  showSettings: ({ db }) => readSettings(db),

  changeSettings: ({ operatorRole, body: { version, ...changes }, now }) => {
    // Who approves withdrawals does not decide how many people it takes.
    if (changes.two_person_amount !== undefined && operatorRole !== 'owner') {
      throw new ApiError('FORBIDDEN', [{ path: 'two_person_amount', problem: 'needs the role owner' }])
    }
    const { time_zone: zone } = changes
    if (zone !== undefined && !isTimeZone(zone)) {
      throw badRequest('time_zone', 'is no time zone; name one like Europe/Moscow or UTC')
    }
    return async (tx) => {
      const before = await lockSettings(tx)
      requireVersion(version, before)
      for (const key of settingKeys) {
        const value = changes[key]
        if (value !== undefined) await writeSetting(tx, key, value, now)
      }
      const after = await readSettings(tx)
      return audited(after, { before, after })
    }
  },

  listAlerts: async ({ db, query, operatorRole }) => {
    const { limit = usualPage, before, is_open: isOpen, is_taken: isTaken, taken_by: takenBy } = query
    const kinds = kindsFor(operatorRole)
    const rows = await listAlerts(db, { limit, before, isOpen, isTaken, takenBy, kinds })
    return rows.map((row) => {
      const { ru, en } = wordsOfAlert(row.kind)
      return { ...row, text_ru: ru, text_en: en }
    })
  },

  takeAlert:
    ({ operatorId, operatorRole, params, body: { is_taken: isTaken } }) =>
    async (tx) => {
      const alert = await lockAlert(tx, params.id, kindsFor(operatorRole))
      if (!alert) throw new ApiError('NOT_FOUND')
      if (alert.resolved_at !== null) throw conflict('id', 'is resolved: there is nothing left to do')
      const before = alert.taken_by
      if (!isTaken && before !== null && before !== operatorId)
        throw conflict('is_taken', 'somebody else deals with it; take it over instead')
      const after = isTaken ? operatorId : null
      if (before === after) return unchanged(true)
      await noteTaken(tx, params.id, after)
      return audited(true, { before: { taken_by: before }, after: { taken_by: after } })
    },

  resolveAlert:
    ({ operatorId, operatorRole, params, body, now }) =>
    async (tx) => {
      const kinds = kindsFor(operatorRole)
      const alert = await resolveAlert(tx, params.id, { operatorId, kinds, now })
      if (!alert) {
        if (await alertExists(tx, params.id, kinds)) return unchanged(true, body)
        throw new ApiError('NOT_FOUND')
      }
      return audited(true, {
        before: { resolved_at: null },
        after: { resolved_at: now },
        details: { ...alert, ...body },
      })
    },

  listAudit: ({ db, query }) => {
    const { limit = usualPage, before, action, subject, operator_id: operatorId } = query
    return listAudit(db, { limit, before, action, subject, operatorId })
  },
}
