import type { Generated } from 'kysely'

/** The tables about figures: what they are counted from beside orders and receipts, and the sums that are kept. */

export interface FiguresTables {
  payment_events: {
    payment_id: number
    event_id: number
  }
  withdrawal_approvals: {
    withdrawal_id: number
    operator_id: number
    created_at: number
  }
  ended_customers: {
    user_id: number
    at: number
  }
  node_traffic: {
    at: number
    node_id: number
    location_id: number
    up: number
    down: number
  }
  customer_looks: {
    at: number
    active: number
  }
  fleet_looks: {
    at: number
    location_id: number
    nodes: number
    nodes_online: number
    capacity: number
    used_slots: number
    customers_online: number
  }
  sales_rollup: {
    step: string
    dimension: string
    at: number
    value: string
    orders: number
    money_in: number
    from_balance: number
    refunded: number
    gifts: number
  }
  customer_rollup: {
    step: string
    dimension: string
    at: number
    value: string
    new: number
    first_paid: number
    active: number | null
    ended: number
  }
  traffic_rollup: {
    step: string
    dimension: string
    at: number
    value: string
    bytes_up: number
    bytes_down: number
  }
  fleet_rollup: {
    step: string
    dimension: string
    at: number
    value: string
    nodes: number | null
    nodes_online: number | null
    capacity: number | null
    used_slots: number | null
    customers_online: number | null
  }
  /** One row. */
  figures_state: {
    is_only: Generated<boolean>
    zone: string | null
    folded_to: number | null
    checked_at: number | null
    ledger_checked_at: number | null
    ledger_imbalance: number | null
    looks_due_at: number | null
  }
}
