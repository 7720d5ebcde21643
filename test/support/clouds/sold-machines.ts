import { cloudTokenContext } from '../../../apps/server/core/clouds/accounts.ts'
import { Vault } from '../../../apps/server/core/kernel/vault.ts'
import type { Db } from '../../../apps/server/db/client.ts'

/** Accounts at two providers, and what each configuration is had from there, best first. */

/** Where they are sold. */
export const locationId = 1

export const tokens = { hetzner: 'hetzner-token', digitalocean: 'ocean-token' } as const

const addAccount = async (db: Db, vault: Vault, kind: keyof typeof tokens, now: number): Promise<number> => {
  const token_sealed = vault.seal(tokens[kind], cloudTokenContext)
  const row = { kind, title: kind, token_sealed, node_id: null, created_at: now }
  const { id } = await db.insertInto('clouds').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export const sellMachines = async (db: Db, secretKey: string, now: number): Promise<void> => {
  const vault = new Vault(Buffer.from(secretKey, 'base64'))
  const hetzner = { cloud_id: await addAccount(db, vault, 'hetzner', now), image: 'debian-12' }
  const ocean = { cloud_id: await addAccount(db, vault, 'digitalocean', now), image: 'debian-12-x64' }
  const offers = [
    [1, { ...hetzner, region: 'fsn1', machine_type: 'cx23' }],
    [1, { ...ocean, region: 'fra1', machine_type: 's-1vcpu-1gb' }],
    [2, { ...ocean, region: 'fra1', machine_type: 's-1vcpu-1gb' }],
    [2, { ...hetzner, region: 'nbg1', machine_type: 'cx23' }],
  ] as const
  await db.deleteFrom('cloud_offers').where('location_id', '=', locationId).execute()
  await db
    .insertInto('cloud_offers')
    .values(
      offers.map(([configuration_id, offer], position) => ({
        configuration_id,
        location_id: locationId,
        position,
        ...offer,
        reality_server_name: 'www.example.com',
        monthly_cost: null,
        cost_currency: null,
        looked_at: null,
      })),
    )
    .execute()
}
