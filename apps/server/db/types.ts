import type { Role } from '@sallyport/contract/operation'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CabinetTables } from './tables/cabinet-types.ts'
import type { CloudTables } from './tables/cloud-types.ts'
import type { DeliveryTables } from './tables/delivery-types.ts'
import type { FiguresTables } from './tables/figures-types.ts'
import type { FleetTables } from './tables/fleet-types.ts'
import type { IdentityTables } from './tables/identity-types.ts'
import type { MoneyTables } from './tables/money-types.ts'
import type { OptionTables } from './tables/option-types.ts'
import type { StaffTables } from './tables/staff-types.ts'
import type { VpnTables } from './tables/vpn-types.ts'
import type { WebhookTables } from './tables/webhook-types.ts'

/** The tables of migrations/, as TypeScript sees them; types.test.ts holds the two together. */

type Id = GeneratedAlways<number>

export interface Tables
  extends CabinetTables,
    CloudTables,
    DeliveryTables,
    FiguresTables,
    FleetTables,
    IdentityTables,
    MoneyTables,
    OptionTables,
    StaffTables,
    VpnTables,
    WebhookTables {
  users: {
    id: Id
    email: string | null
    uuid: Generated<string>
    sign_in_method: string
    signed_out_at: Generated<number | null>
    referral_code: string
    referrer_id: number | null
    referrals_count: Generated<number>
    is_messenger_connected: Generated<boolean>
    onboarding_completed: Generated<boolean>
    is_blocked: Generated<boolean>
    renewal_reminders: Generated<boolean>
    notification_start_hour: Generated<number>
    notification_end_hour: Generated<number>
    timezone_offset: Generated<number>
    note: Generated<string | null>
    is_note_internal: Generated<boolean>
    flags: Generated<string[]>
    version: Generated<number>
    deleted_at: number | null
    created_at: number
  }
  api_keys: {
    id: Id
    user_id: number
    title: string | null
    prefix: string
    secret_hash: Uint8Array
    created_at: number
    last_used_at: number | null
  }
  sessions: {
    id: string
    user_id: number
    created_at: number
    expires_at: number
    revoked_at: number | null
    cookie_hash: Generated<Uint8Array | null>
    client: Generated<string | null>
    sign_in_method: Generated<string | null>
  }
  operators: {
    id: Id
    name: string
    role: Role
    /** Of the first of its tokens; only versions before operator_tokens read these two. */
    token_prefix: string | null
    token_hash: Uint8Array | null
    created_at: number
    revoked_at: number | null
    email: Generated<string | null>
    wants_alerts: Generated<boolean>
    signed_in_at: Generated<number | null>
    handle: Generated<string>
    version: Generated<number>
  }
  operator_tokens: {
    id: Id
    operator_id: number
    title: string
    prefix: string
    secret_hash: Uint8Array
    operations: string[] | null
    created_at: number
    expires_at: number | null
    last_used_at: Generated<number | null>
    revoked_at: Generated<number | null>
  }
  broadcasts: {
    id: Id
    view: string | null
    search_sealed: Uint8Array | null
    content_ru: string
    content_en: string
    send_at: number
    state: Generated<'scheduled' | 'sending' | 'done' | 'stopped'>
    total: number
    sent: Generated<number>
    failed: Generated<number>
    looked_to: Generated<number>
    looks_until: Generated<number | null>
    operator_id: number
    created_at: number
    ended_at: Generated<number | null>
  }
  audit_log: {
    id: Id
    operator_id: number
    action: string
    subject: string
    details: JSONColumnType<Record<string, unknown>>
    created_at: number
  }
}
