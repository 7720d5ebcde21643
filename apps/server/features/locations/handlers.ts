import { generateKeyPairSync } from 'node:crypto'
import type { locations } from '@sallyport/contract/locations'
import type { Handlers } from '../../core/call.ts'
import { listLocations } from './queries.ts'

export const locationHandlers: Handlers<typeof locations> = {
  listLocations: async ({ db, language }) =>
    (await listLocations(db)).map((row) => ({
      id: row.id,
      code: row.code,
      title: row[`title_${language}`],
      description: row[`description_${language}`],
      caption: row[`caption_${language}`],
      is_active: row.is_active,
      ping_ip: row.ping_ip,
    })),

  generateXrayKeys: async () => {
    const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
    return { private_key: d as string, public_key: x as string }
  },
}
