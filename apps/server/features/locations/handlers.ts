import type { locations } from '@sallyport/contract/customer/locations'
import type { Handlers } from '../../core/call.ts'
import { plainKeyPair } from './keys.ts'
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

  generateXrayKeys: async () => plainKeyPair(),
}
