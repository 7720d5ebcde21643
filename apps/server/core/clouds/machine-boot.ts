import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/client.ts'
import type { MachineMarks } from '../../ports/clouds.ts'
import type { Vault } from '../kernel/vault.ts'
import type { Machine } from './machines.ts'

/** What a machine is called at its provider, and what it is told at its first boot. */

const settingKey = 'installation'

/** Several installations may share an account at a provider; each knows its own by this. */
export const installationOf = async (db: Db, now: number): Promise<string> => {
  const read = () =>
    db.selectFrom('settings').select('value').where('key', '=', settingKey).executeTakeFirst()
  const kept = await read()
  if (kept) return kept.value as unknown as string
  await db
    .insertInto('settings')
    .values({ key: settingKey, value: JSON.stringify(randomBytes(4).toString('hex')), updated_at: now })
    .onConflict((oc) => oc.column('key').doNothing())
    .execute()
  return (await read())?.value as unknown as string
}

/** The same for every attempt, so that a repeated order never makes two machines. */
export const nameOf = (installation: string, { order_id }: Pick<Machine, 'order_id'>): string =>
  `slp-${installation}-${order_id}`

export const marksOf = (
  installation: string,
  { order_id: order, attempt }: Pick<Machine, 'order_id' | 'attempt'>,
): MachineMarks => ({ installation, order, attempt })

/** Known again after a crash, and of use to one machine only: the next attempt has another. */
export const tokenOf = (vault: Vault, machineId: number, attempt: number): string =>
  vault.hash('machine-enrolment', String(machineId), String(attempt)).toString('hex').slice(0, 48)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Linux takes 64 characters; the first part is what prompts show. */
const shortName = (hostname: string): string => hostname.split('.')[0] as string

/** Stays on the machine; the token in it is spent by then. */
export const userDataOf = (serviceUrl: string, token: string, hostname: string | null): string =>
  [
    '#!/bin/sh',
    'set -eu',
    // Providers make a password for root, and some mail it; nobody needs it.
    'passwd -l root >/dev/null 2>&1 || true',
    ...(hostname === null ? [] : [`hostnamectl set-hostname ${quoted(shortName(hostname))} || true`]),
    'export DEBIAN_FRONTEND=noninteractive',
    'command -v curl >/dev/null || { apt-get update -qq && apt-get install -y -qq curl ca-certificates; }',
    'script=$(mktemp)',
    `curl -fsSL --retry 20 --retry-delay 3 --retry-all-errors -o "$script" ${quoted(`${serviceUrl}/install/agent`)}`,
    `SALLYPORT_ENROL_TOKEN=${quoted(token)} sh "$script"`,
    'rm -f "$script"',
    '',
  ].join('\n')
