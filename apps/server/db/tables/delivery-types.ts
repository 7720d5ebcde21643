import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The tables about what an operator decides about delivery, and the links that customers hand on. */

/** Read as it is, written as text. */
type Written<T> = ColumnType<T | null, string | null | undefined, string | null>

export interface DeliveryTables {
  delivery_settings: {
    is_only: Generated<boolean>
    version: Generated<number>
    title: string | null
    support_url: string | null
    account_url: string | null
    unnamed_devices: Generated<'fingerprint' | 'refuse'>
    announce_ru: string | null
    announce_en: string | null
    update_interval_hours: Generated<number>
    happ_routing: Written<Record<string, unknown>>
    happ_routing_enabled: boolean | null
    apps: Written<Record<string, unknown>>
  }
  delivery_templates: {
    kind: string
    template: string
    changed_at: number
  }
  one_time_links: {
    id: GeneratedAlways<number>
    user_id: number
    access_id: number
    credential_nonce: Uint8Array
    key_hash: Uint8Array
    created_at: number
    expires_at: number
    used_at: number | null
    attempt_hash: Uint8Array | null
  }
}
