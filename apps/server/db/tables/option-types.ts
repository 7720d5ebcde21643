import type { Generated } from 'kysely'

/** The tables about paid options. */

export interface OptionTables {
  paid_options: {
    id: Generated<number>
    key: string
    title_ru: string
    title_en: string
    caption_ru: string
    caption_en: string
    description_ru: string
    description_en: string
    protocol: string
    device_limit: Generated<number>
    traffic_limit: Generated<number>
    most_devices: Generated<number>
    most_traffic: Generated<number>
    is_active: Generated<boolean>
    revision: Generated<number>
    version: Generated<number>
    created_at: number
  }
  paid_option_servers: {
    option_id: number
    server_id: number
    position: number
  }
  option_terms: {
    term_id: number
    traffic_limit: number
    period_began_at: number
    period_base: Generated<number>
    told: Generated<number>
    owed: Generated<number>
    option_id: number
    furnished: number
    version: Generated<number>
  }
}
