import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** The tables about places: locations, nodes, servers and what they offer. */

type Id = GeneratedAlways<number>

export interface FleetTables {
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
    cloud_server_type: Generated<string>
    deleted_at: Generated<number | null>
    version: Generated<number>
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
    /** Beyond what a number holds, so it is read as text. */
    desired_hash: GeneratedAlways<string>
    last_tunnel_host: Generated<number>
    reboot_asked_at: Generated<number | null>
    /** The request or the run of a job that last raised the revision. */
    caused_by: Generated<string | null>
    version: Generated<number>
    created_at: number
  }
  server_drains: {
    server_id: number
    state: 'running' | 'done' | 'stopped'
    to_server_ids: number[]
    total: number
    started_at: number
    ended_at: number | null
  }
  drain_failures: {
    server_id: number
    access_id: number
    reason: string
    at: number
  }
  /** One row: rises with whatever links say of a server. */
  fleet_version: {
    is_only: Generated<boolean>
    version: number
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
    refused_counters: Generated<number>
    traffic_allowance: Generated<number>
    metered_at: Generated<number | null>
    closed_inbounds: Generated<string[]>
    uncarried_key: Generated<string>
    agent_release: Generated<string | null>
    can_upgrade: Generated<boolean>
    upgrade_wish: Generated<string | null>
    upgrade_failure: Generated<string | null>
  }
  agent_upgrades: {
    id: Id
    release: string | null
    back_of: number | null
    state: 'running' | 'waiting' | 'stopped' | 'done'
    stop_reason: Generated<string | null>
    waves: number
    wave: Generated<number>
    wave_over_at: Generated<number | null>
    accepted_ill: Generated<number>
    pause_seconds: number
    most_ill: number
    is_automatic: boolean
    operator_id: number
    created_at: number
    ended_at: Generated<number | null>
  }
  agent_upgrade_nodes: {
    upgrade_id: number
    node_id: number
    wave: number
    release: string
    wish: Generated<string>
    state: Generated<'waiting' | 'told' | 'upgrading' | 'done' | 'ill' | 'skipped'>
    reason: Generated<string | null>
    release_before: Generated<string | null>
    engines_before: Generated<string[]>
    had_apply_error: Generated<boolean>
    told_at: Generated<number | null>
    due_revision: Generated<number | null>
    ended_at: Generated<number | null>
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
  /** By quarters of an hour. */
  node_hours: {
    node_id: number
    at: number
    samples: number
    cpu_sum: number
    ram_sum: number
    up_sum: number
    down_sum: number
    /** Of releases before, which counted subscriptions; nobody reads it. */
    online_sum: Generated<number>
    /** Customers. */
    online_most: Generated<number>
  }
  servers: {
    id: Id
    node_id: number
    location_id: number
    owner_term_id: Generated<number | null>
    capacity: number
    used_slots: Generated<number>
    domain: string
    certificate: string
    certificate_key_sealed: Uint8Array
    is_certificate_public: Generated<boolean>
    state: Generated<'selling' | 'closed' | 'draining' | 'retired'>
    retired_at: Generated<number | null>
    reality_target: Generated<string | null>
    reality_server_name: Generated<string | null>
    other_reality_target: Generated<string | null>
    other_reality_server_name: Generated<string | null>
    version: Generated<number>
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
  trials: {
    id: Id
    node_id: number
    config_sealed: Uint8Array
    is_accepted: boolean | null
    reason: string | null
    created_at: number
  }
}
