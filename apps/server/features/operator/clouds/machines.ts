import { isIP } from 'node:net'
import { badRequest } from '@sallyport/contract/errors'
import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import type { Handlers } from '../../../core/call.ts'
import { giveAddress, retryMachine } from '../../../core/clouds/by-hand.ts'
import { installationOf, nameOf } from '../../../core/clouds/names.ts'
import { tendMachinesJob } from '../../../core/clouds/tending.ts'
import { inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'
import { usualPage } from '../common/search.ts'
import { listMachines, type MachineRow, readMachine } from './queries.ts'

/** Customers' machines, and what a person does about them. */

const shownMachine = (installation: string, row: MachineRow) => ({ ...row, name: nameOf(installation, row) })

/** A scope makes sense on one machine only. */
const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

const checkedAddress = (text: string): string => {
  const address = text.toLowerCase()
  const isName = address.includes('.') && hostnameProblem(address) === undefined
  if (isAddress(address) || isName) return address
  throw badRequest('address', 'must be an IPv4 or IPv6 address, or a host name with a dot')
}

export const machineHandlers: Pick<
  Handlers<typeof operatorClouds>,
  'listMachines' | 'setMachineAddress' | 'retryMachine'
> = {
  listMachines: async ({ db, query, now }) => {
    const { state, user_id: userId, limit = usualPage, offset = 0 } = query
    const installation = await installationOf(db, now)
    const rows = await listMachines(db, { state, userId, limit, offset })
    return rows.map((row) => shownMachine(installation, row))
  },

  setMachineAddress: async (call) => {
    const { operatorId, params, body, now } = call
    const address = checkedAddress(body.address)
    const { token, expiresAt } = await inTransaction(call.db, async (tx) => {
      const admission = await giveAddress(tx, call, params.id, address)
      const details = { address, attempt: admission.attempt }
      const subject = `cloud_server:${params.id}`
      await audit(tx, { operatorId, action: 'cloud_server.address', subject, details, now })
      return admission
    })
    call.kick(tendMachinesJob)
    const fetched = `curl -fsSL ${call.publicUrl()}/install/agent`
    return {
      enrolment_token: token,
      expires_at: expiresAt,
      install: `${fetched} | SALLYPORT_ENROL_TOKEN=${token} sh`,
    }
  },

  retryMachine: async (call) => {
    const { operatorId, params, now } = call
    const shown = await inTransaction(call.db, async (tx) => {
      await retryMachine(tx, params.id, now)
      const subject = `cloud_server:${params.id}`
      await audit(tx, { operatorId, action: 'cloud_server.retry', subject, details: {}, now })
      return shownMachine(await installationOf(tx, now), await readMachine(tx, params.id))
    })
    call.kick(tendMachinesJob)
    return shown
  },
}
