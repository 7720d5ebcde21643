import type { Access, Inbound } from '@sallyport/contract/agent'
import { xrayInbound } from '@sallyport/domain/engine/xray-server'
import { messageOf, sleep } from '../backoff.ts'
import { removeFile, writeFileAtomically } from '../files.ts'
import { diff, type Served } from '../reconcile.ts'
import type { ConnectionCutter } from './connection-cutter.ts'
import { portProblem, type XrayProcess } from './xray-process.ts'

export interface ChangeTools {
  readonly cutter: ConnectionCutter
  readonly inboundFile: string
}

export interface ChangeOutcome {
  /** What Xray serves now. */
  readonly served: Served
  readonly problems: string[]
}

/** A connection shows in Xray's log at most this long after its user was looked up (sniffing waits 200 ms). */
const logDelayMs = 300
const callsAtOnce = 32

/** Does the work for every entry, some at once, and notes the failures instead of stopping at one. */
const attemptEach =
  (problems: string[]) =>
  async <T>(entries: readonly T[], nameOf: (entry: T) => string, work: (entry: T) => Promise<void>) => {
    const attempt = (entry: T) =>
      work(entry).catch((error) => {
        problems.push(`${nameOf(entry)}: ${messageOf(error)}`)
      })
    for (let index = 0; index < entries.length; index += callsAtOnce) {
      await Promise.all(entries.slice(index, index + callsAtOnce).map(attempt))
    }
  }

/** Walks a running Xray from one state to another without a restart, as far as it can. */
export const changeXray = async (
  running: XrayProcess,
  from: Served,
  to: Served,
  { cutter, inboundFile }: ChangeTools,
): Promise<ChangeOutcome> => {
  const changes = diff(from, to)
  const inbounds = new Map(from.inbounds.map((inbound) => [inbound.tag, inbound]))
  const accesses = new Map(from.accesses.map((access) => [access.id, access]))
  const problems: string[] = []
  const each = attemptEach(problems)

  await each(changes.usersToRemove, nameOfAccess, async (access) => {
    await removeUser(running, access)
    accesses.delete(access.id)
  })
  for (const inbound of changes.inboundsToRemove) {
    await each([inbound], nameOfInbound, async () => {
      await running.api.removeInbound(inbound.tag)
      inbounds.delete(inbound.tag)
      for (const access of from.accesses) if (access.inbound === inbound.tag) accesses.delete(access.id)
    })
  }
  await cutConnections(cutter, changes.accessesToCut, to)
  cutter.serve(to)
  for (const inbound of changes.inboundsToAdd) {
    await each([inbound], nameOfInbound, async () => {
      await addInbound(running, inbound, to.accesses, inboundFile)
      inbounds.set(inbound.tag, inbound)
      for (const access of to.accesses) if (access.inbound === inbound.tag) accesses.set(access.id, access)
    })
  }
  await each(changes.usersToAdd, nameOfAccess, async (access) => {
    await addUser(running, access)
    accesses.set(access.id, access)
  })
  return { served: { inbounds: [...inbounds.values()], accesses: [...accesses.values()] }, problems }
}

const nameOfAccess = ({ id }: Access): string => `access ${id}`
const nameOfInbound = ({ tag }: Inbound): string => `inbound ${tag}`

const removeUser = async ({ api }: XrayProcess, { inbound, id }: Access): Promise<void> => {
  try {
    await api.removeUser(inbound, id)
  } catch (error) {
    if (!/not found/i.test(messageOf(error))) throw error
  }
}

const addUser = async (running: XrayProcess, access: Access): Promise<void> => {
  try {
    await running.api.addUser(access)
  } catch (error) {
    if (!/already exists/i.test(messageOf(error))) throw error
    await removeUser(running, access)
    await running.api.addUser(access)
  }
}

const addInbound = async (
  running: XrayProcess,
  inbound: Inbound,
  accesses: readonly Access[],
  file: string,
): Promise<void> => {
  const problem = await portProblem(inbound.listen, inbound.port)
  if (problem !== null) throw new Error(problem)
  await writeFileAtomically(file, JSON.stringify({ inbounds: [xrayInbound(inbound, accesses)] }))
  await running.addInbound(file).finally(() => removeFile(file))
}

const cutConnections = async (
  cutter: ConnectionCutter,
  gone: readonly Access[],
  to: Served,
): Promise<void> => {
  if (gone.length === 0) return
  const ids = new Set(gone.map(({ id }) => id))
  await cutter.cut(ids)
  // Somebody whose credentials changed keeps the name, so late lines of the old ones are waited for here;
  // late lines of names that are gone for good are recognised whenever they come.
  if (!to.accesses.some(({ id }) => ids.has(id))) return
  await sleep(logDelayMs)
  await cutter.cut(ids)
}
