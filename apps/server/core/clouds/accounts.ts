import type { Db } from '../../db/client.ts'
import type { CloudTables } from '../../db/tables/cloud-types.ts'
import type { CloudProvider, OpenCloud } from '../../ports/clouds.ts'
import type { Vault } from '../kernel/vault.ts'

/** Accounts at providers, with their sealed tokens. */

export type CloudKind = CloudTables['clouds']['kind']

export const cloudTokenContext = 'clouds.token'

export interface Cloud {
  readonly id: number
  readonly kind: CloudKind
  readonly title: string
  /** Of a local one. */
  readonly nodeId: number | null
  readonly provider: CloudProvider
}

interface Opening {
  readonly vault: Vault
  readonly openCloud: OpenCloud
}

const rows = (db: Db) =>
  db
    .selectFrom('clouds as c')
    .leftJoin('nodes as n', 'n.id', 'c.node_id')
    .select(['c.id', 'c.kind', 'c.title', 'c.token_sealed', 'c.node_id', 'n.address'])
    .where('c.deleted_at', 'is', null)

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const opened = ({ vault, openCloud }: Opening, row: Row): Cloud => {
  const { id, kind, title, node_id: nodeId } = row
  const asked = { id, kind, title, nodeId }
  if (kind === 'local') return { ...asked, provider: openCloud({ kind, address: row.address ?? '' }) }
  if (kind === 'manual') return { ...asked, provider: openCloud({ kind }) }
  const token = vault.open(row.token_sealed as Uint8Array, cloudTokenContext)
  return { ...asked, provider: openCloud({ kind, token }) }
}

export const openCloudOf = async (db: Db, at: Opening, id: number): Promise<Cloud | undefined> => {
  const row = await rows(db).where('c.id', '=', id).executeTakeFirst()
  return row && opened(at, row)
}

/** Whether it is there; nobody deletes it until the transaction ends. */
export const holdCloud = async (tx: Db, id: number): Promise<boolean> => {
  const found = await tx
    .selectFrom('clouds')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

/** Those that can be asked what they have: not an operator's hands. Also ones that are switched off. */
const listAsked = async (db: Db): Promise<number[]> => {
  const found = await rows(db).where('c.kind', 'in', ['hetzner', 'digitalocean']).orderBy('c.id').execute()
  return found.map((row) => row.id)
}

/** One after another; what is wrong with one holds up no other. */
export const forEachAsked = async (
  at: Opening & { readonly db: Db; readonly stopping: AbortSignal },
  work: (cloud: Cloud) => Promise<void>,
  onError: (error: unknown, cloudId: number) => void,
): Promise<void> => {
  for (const id of await listAsked(at.db)) {
    if (at.stopping.aborted) return
    try {
      const cloud = await openCloudOf(at.db, at, id)
      if (cloud) await work(cloud)
    } catch (error) {
      onError(error, id)
    }
  }
}
