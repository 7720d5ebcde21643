import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { ItemType } from '@sallyport/contract/product-types'
import type { ProductClass } from '@sallyport/contract/products'
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** The tables about what customers have: terms, accesses and how they are carried, subscriptions with their devices. */

type Id = GeneratedAlways<number>

export interface VpnTables {
  terms: {
    id: Id
    user_id: number
    product: ProductClass
    product_id: number | null
    item_id: number
    state: Generated<'active' | 'expired' | 'deleted'>
    expires_at: number
    auto_renewal: Generated<boolean>
    auto_renewal_days: number | null
    renewal_tried_at: number | null
    reminders_sent: Generated<number>
    paused: Generated<'quota' | 'operator' | null>
    is_metered: Generated<boolean>
    stopped_at: Generated<number | null>
    stopped_seconds: Generated<number>
    created_at: number
  }
  term_days: {
    id: Id
    term_id: number
    operator_id: number
    role: string
    days: number
    merged_at: Generated<number | null>
    created_at: number
  }
  accesses: {
    id: Generated<number>
    term_id: number
    beside_id: Generated<number | null>
    server_id: number
    location_id: number
    protocol: string
    options: Generated<string[]>
    title: string | null
    credential_nonce: Uint8Array
    flags: Generated<string[]>
    port: number | null
    tunnel_host: number | null
    awg: JSONColumnType<AwgParameters | null, string | null, string | null>
    xray_config_sealed: Uint8Array | null
    tls_domain: Generated<string | null>
    position: Generated<number | null>
    added_index: Generated<number | null>
    is_proxy: Generated<boolean>
    created_at: number
  }
  node_ports: {
    node_id: number
    port: number
    inbound: string | null
    access_id: number | null
  }
  bridges: {
    id: Id
    user_id: number
    entry_id: number
    exit_id: number
    created_at: number
  }
  warp_accounts: {
    access_id: number
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
  placements: {
    node_id: number
    access_id: number
    server_id: number
    revision: number
    is_present: boolean
    /** The request or the run of a job that last changed it. */
    caused_by: Generated<string | null>
  }
  held_accesses: {
    id: Id
    access_id: number
    term_id: number
    server_id: number
    node_id: number
    location_id: number
    protocol: string
    options: string[]
    credential_nonce: Uint8Array
    port: number | null
    tunnel_host: number | null
    awg: JSONColumnType<AwgParameters | null, string | null, string | null>
    xray_config_sealed: Uint8Array | null
    tls_domain: string | null
    is_proxy: boolean
    /** By the id of a subscription. */
    revisions: JSONColumnType<Record<string, number> | null, string | undefined, string>
    moved_at: number
    until: number
    is_live: Generated<boolean>
  }
  uncarried: {
    access_id: number
    node_id: number
    server_id: number
    reason: string
    is_unfit: boolean
    since: number
    carried_at: number | null
    told_at: number | null
    next_step_at: number | null
  }
  given_up_servers: {
    access_id: number
    server_id: number
    given_up_at: number
  }
  meters: {
    access_id: number
    term_id: number
    up: Generated<number>
    down: Generated<number>
    is_metered: Generated<boolean>
    /** Nothing but bytes that make a new row wide. */
    room: Generated<string | null>
  }
  /** What the release before writes. */
  moved_meters: {
    term_id: number
  }
  moved_terms: {
    term_ids: number[]
  }
  terms_to_judge: {
    term_id: number
  }
  traffic_counters: {
    node_id: number
    access_id: number
    boot_id: string
    up: number
    down: number
    seen_at: number
    room: Generated<string | null>
  }
  subscriptions: {
    id: Id
    user_id: number
    kind: 'account' | 'paid_option' | 'custom'
    title: Generated<string | null>
    term_id: number | null
    key_sealed: Uint8Array
    key_hash: Uint8Array
    block_unknown_devices: Generated<boolean>
    device_limit: Generated<number>
    term_device_limit: Generated<number | null>
    revision: Generated<number>
    created_at: number
  }
  subscription_items: {
    id: Id
    subscription_id: number
    position: number
    item_type: ItemType
    reference_id: number
    item_index: number | null
  }
  subscription_fetches: {
    subscription_id: number
    at: number
    app: string
    outcome: string
    revision: number | null
  }
  subscription_templates: {
    subscription_id: number
    is_enabled: Generated<boolean>
    template: Generated<string | null>
  }
  devices: {
    id: Id
    subscription_id: number
    hwid_hash: Uint8Array
    device_name: string
    device_type: 'ios' | 'android' | 'windows' | 'macos' | 'linux'
    device_model: string
    os_version: string
    /** Of older releases. */
    is_fingerprinted: boolean
    is_unnamed: Generated<boolean>
    is_blocked: Generated<boolean>
    created_at: number
    last_seen_at: number
    hwid_sealed: Generated<Uint8Array | null>
    came_by: Generated<number[]>
    platform: Generated<string | null>
    found_by: Generated<Uint8Array | null>
  }
}
