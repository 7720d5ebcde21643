import { isIP } from 'node:net'
import { badRequest } from '@sallyport/contract/errors'
import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import type { Handlers } from '../../../core/call.ts'
import { installationOf, nameOf } from '../../../core/clouds/machine-boot.ts'
import { machineJob } from '../../../core/clouds/machine-job.ts'
import { giveAddress, retryMachine } from '../../../core/clouds/manual-repair.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { installLine } from '../common/install-line.ts'
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
    const { state, user_id: userId, limit = usualPage, before, offset } = query
    const installation = await installationOf(db, now)
    const rows = await listMachines(db, { state, userId, limit, before, offset })
    return rows.map((row) => shownMachine(installation, row))
  },

  setMachineAddress: (call) => {
    const { params, body, publicUrl, kick } = call
    const address = checkedAddress(body.address)
    return async (tx) => {
      const before = await readMachine(tx, params.id)
      const { token, expiresAt, attempt } = await giveAddress(tx, call, params.id, address)
      kick(machineJob)
      const admission = {
        enrolment_token: token,
        expires_at: expiresAt,
        install: installLine(publicUrl(), token),
      }
      const after = await readMachine(tx, params.id)
      return audited(admission, { before, after, details: { address, attempt } })
    }
  },

  retryMachine:
    ({ params, kick, now }) =>
    async (tx) => {
      const before = await readMachine(tx, params.id)
      await retryMachine(tx, params.id, now)
      kick(machineJob)
      const after = await readMachine(tx, params.id)
      return audited(shownMachine(await installationOf(tx, now), after), { before, after })
    },
}
