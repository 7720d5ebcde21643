import type { Generated } from 'kysely'

/** The tables about cloud servers. */

export interface CloudTables {
  clouds: {
    id: Generated<number>
    kind: 'local' | 'manual' | 'hetzner' | 'digitalocean'
    title: string
    token_sealed: Uint8Array | null
    node_id: number | null
    is_active: Generated<boolean>
    version: Generated<number>
    created_at: number
    deleted_at: Generated<number | null>
  }
  cloud_configurations: {
    id: Generated<number>
    title_ru: string
    title_en: string
    description_ru: string
    description_en: string
    is_active: Generated<boolean>
    version: Generated<number>
    created_at: number
  }
  cloud_offers: {
    id: Generated<number>
    configuration_id: number
    location_id: number
    position: number
    cloud_id: number
    region: Generated<string>
    machine_type: Generated<string>
    image: Generated<string>
    reality_server_name: string
    is_in_stock: Generated<boolean>
    monthly_cost: number | null
    cost_currency: string | null
    looked_at: number | null
  }
  machines: {
    id: number
    term_id: number
    order_id: number
    location_id: number
    configuration_id: number
    hostname: string | null
    status: Generated<'ordered' | 'purchased' | 'active'>
    wanted: Generated<'on' | 'off' | 'gone'>
    offer_id: number | null
    cloud_id: number | null
    region: string | null
    machine_type: string | null
    image: string | null
    offer_began_at: number | null
    tried_offers: Generated<number[]>
    attempt: Generated<number>
    asked_at: number | null
    ref: string | null
    action: string | null
    is_abandoned: Generated<boolean>
    address: string | null
    node_id: number | null
    is_on: Generated<boolean>
    reboot_at: number | null
    rebooting_since: number | null
    ready_by: number | null
    missing_since: number | null
    search_began_at: number
    activated_at: number | null
    gone_at: number | null
    problem: string | null
    tries: Generated<number>
    turn: Generated<number>
    next_step_at: number | null
    created_at: number
  }
}
