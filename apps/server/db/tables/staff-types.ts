import type { Generated, GeneratedAlways } from 'kysely'

/** Tables of 0027_staff, 0055_saved_views and 0056_taken_alerts. */

export interface StaffTables {
  operator_links: {
    operator_id: number
    token_hash: Uint8Array
    expires_at: number
  }
  operator_sessions: {
    id: Generated<string>
    operator_id: number
    token_hash: Uint8Array
    created_at: number
    seen_at: number
    proved_at: number | null
    client: string | null
  }
  operator_passkeys: {
    id: GeneratedAlways<number>
    operator_id: number
    credential_id: Uint8Array
    public_key: Uint8Array
    counter: number
    transports: Generated<string[]>
    title: string
    created_at: number
    last_used_at: number | null
  }
  operator_challenges: {
    challenge_hash: Uint8Array
    session_id: string | null
    expires_at: number
  }
  saved_views: {
    id: GeneratedAlways<number>
    operator_id: number
    page: string
    title: string
    query: string
    is_shared: Generated<boolean>
    version: Generated<number>
    created_at: number
  }
}
