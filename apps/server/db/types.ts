import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { IdentityTables } from './identity-types.ts'
import type { MoneyTables } from './money-types.ts'

/** The tables of migrations/, as TypeScript sees them; types.test.ts holds the two together. */

type Id = GeneratedAlways<number>

export interface Tables extends MoneyTables, IdentityTables {
  users: {
    id: Id
    email: string | null
    uuid: Generated<string>
    subscription_key_sealed: Uint8Array
    subscription_key_hash: Uint8Array
    sign_in_method: string
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
    block_unknown_devices: Generated<boolean>
    device_limit: Generated<number>
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
  }
  operators: {
    id: Id
    name: string
    role: 'owner' | 'support' | 'finance'
    token_prefix: string
    token_hash: Uint8Array
    created_at: number
    revoked_at: number | null
  }
  audit_log: {
    id: Id
    operator_id: number
    action: string
    subject: string
    details: JSONColumnType<Record<string, unknown>>
    created_at: number
  }
  locations: {
    id: number
    code: string
    title_ru: string
    title_en: string
    description_ru: string
    description_en: string
    caption_ru: string
    caption_en: string
    is_active: Generated<boolean>
    ping_ip: string | null
    home_domains: Generated<string[]>
    home_networks: Generated<string[]>
  }
  nodes: {
    id: Id
    name: string
    address: string
    listen_address: string
    sells_without_engine: Generated<boolean>
    public_key: string | null
    enrolment_token_hash: Uint8Array | null
    enrolment_expires_at: number | null
    enrolment_spent_by: string | null
    desired_revision: Generated<number>
    last_tunnel_host: Generated<number>
    created_at: number
  }
  node_status: {
    node_id: number
    last_seen_at: number | null
    applied_revision: Generated<number>
    applied_hash: Generated<string>
    apply_error: string | null
    agent_version: string | null
    engines: JSONColumnType<unknown[], string | undefined, string>
    ready_engines: Generated<string[]>
    uptime_seconds: Generated<number>
    cpu_model: Generated<string>
  }
  node_days: {
    node_id: number
    day: string
    samples: number
    cpu_sum: number
    ram_sum: number
    up_sum: number
    down_sum: number
  }
  servers: {
    id: Id
    node_id: number
    location_id: number
    capacity: number
    used_slots: Generated<number>
    domain: string | null
    certificate: string | null
    certificate_key_sealed: Uint8Array | null
    is_certificate_public: Generated<boolean>
    created_at: number
  }
  inbounds: {
    server_id: number
    protocol: string
    node_id: number
    engine: string
    port: number | null
    settings: JSONColumnType<Record<string, unknown>>
    sites: JSONColumnType<Record<string, unknown>>
    secret_sealed: Uint8Array
  }
  configs: {
    id: Id
    user_id: number
    server_id: number
    location_id: number
    protocol: string
    options: Generated<string[]>
    title: string | null
    credential_nonce: Uint8Array | null
    flags: Generated<string[]>
    state: Generated<'active' | 'expired' | 'deleted'>
    auto_renewal: Generated<boolean>
    auto_renewal_days: number | null
    expires_at: number
    created_at: number
    traffic_up: Generated<number>
    traffic_down: Generated<number>
    port: number | null
    tunnel_host: number | null
    awg: JSONColumnType<AwgParameters | null, string | null, string | null>
    xray_config_sealed: Uint8Array | null
    renewal_tried_at: number | null
    reminders_left: Generated<number>
  }
  placements: {
    node_id: number
    item: string
    config_id: number
    server_id: number
    revision: number
    is_present: boolean
  }
  traffic_counters: {
    node_id: number
    item: string
    boot_id: string
    up: number
    down: number
    seen_at: number
  }
  node_ports: {
    node_id: number
    port: number
    owner: string
  }
  subconfigs: {
    id: Id
    config_id: number
    protocol: 'http' | 'socks5' | 'mtproto'
    tls_domain: string | null
    credential_nonce: Uint8Array
    port: number
    created_at: number
  }
  bridges: {
    id: Id
    user_id: number
    entry_type: string
    entry_id: number
    exit_type: string
    exit_id: number
    created_at: number
  }
  warp_accounts: {
    config_id: number
    private_key_sealed: Uint8Array
    public_key: string
    addresses: string[]
    peer_public_key: string
    endpoint: string
    reserved: Generated<number[]>
    registered_at: number | null
    next_try_at: number
    created_at: number
  }
  trials: {
    id: Id
    node_id: number
    config_sealed: Uint8Array
    is_accepted: boolean | null
    reason: string | null
    created_at: number
  }
}
