import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** Tables of 0004_identity, 0005_sessions and 0006_mailed_codes. */

type Id = GeneratedAlways<number>

export interface IdentityTables {
  identities: {
    id: Id
    user_id: number
    provider: string
    subject: string
    created_at: number
  }
  refresh_tokens: {
    token_hash: Uint8Array
    session_id: string
    created_at: number
    replaced_at: number | null
  }
  sign_in_codes: {
    kind: 'sign_in' | 'otp' | 'transfer' | 'exchange'
    subject_hash: Uint8Array
    code_hash: Uint8Array
    tries_left: number
    user_id: number | null
    method: string | null
    session_id: Generated<string | null>
    expires_at: number
  }
  mailed_codes: {
    id: Id
    recipient_hash: Uint8Array
    asker_hash: Uint8Array
    digits_hash: Uint8Array | null
    long_hash: Uint8Array
    tries_left: number
    foreign_tries_left: number
    referral_code: string | null
    expires_at: number
  }
  mails: {
    id: Id
    subject_hash: Uint8Array | null
    letter_sealed: Uint8Array
    attempts: Generated<number>
    next_try_at: number
    expires_at: number
    created_at: number
  }
  oauth_states: {
    state_hash: Uint8Array
    provider: string
    browser_hash: Uint8Array
    checks_sealed: Uint8Array
    return_to: string | null
    referral_code: string | null
    link_user_id: number | null
    expires_at: number
  }
  used_proofs: {
    proof_hash: Uint8Array
    expires_at: number
  }
  passkeys: {
    id: Id
    user_id: number
    credential_id: Uint8Array
    public_key: Uint8Array
    counter: number
    transports: Generated<string[]>
    title: string
    created_at: number
    last_used_at: number | null
  }
  passkey_challenges: {
    challenge_hash: Uint8Array
    session_id: string | null
    expires_at: number
  }
  account_events: {
    id: Id
    user_id: number
    kind: string
    details: JSONColumnType<Record<string, unknown>>
    created_at: number
  }
}
