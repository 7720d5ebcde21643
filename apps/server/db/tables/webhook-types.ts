import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** The tables about what programs and people of operators are told. */

type Id = GeneratedAlways<number>

export interface WebhookTables {
  webhooks: {
    id: Id
    url: string
    events: string[]
    is_active: Generated<boolean>
    secret_sealed: Uint8Array
    version: Generated<number>
    failures: Generated<number>
    failing_since: Generated<number | null>
    gave_up_at: Generated<number | null>
    created_at: number
  }
  outbox: {
    id: Id
    event_id: Generated<string>
    type: string
    subject: string
    data: JSONColumnType<Record<string, unknown>>
    created_at: number
  }
  webhook_deliveries: {
    id: Id
    webhook_id: number
    outbox_id: number
    subject: string
    attempts: Generated<number>
    next_try_at: number | null
    delivered_at: Generated<number | null>
    last_try_at: Generated<number | null>
    last_status: Generated<number | null>
    last_error: Generated<string | null>
    created_at: number
  }
  /** One row. */
  alert_letters: {
    is_only: Generated<boolean>
    posted_at: number
  }
  silent_nodes: {
    node_id: number
    since: number
  }
  job_runs: {
    name: string
    instance: string
    finished_at: number
    problem: string | null
    noted_at: number
  }
}
