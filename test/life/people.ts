import type { ContractOperation } from '@sallyport/contract/tables'
import type { Caller } from './recorder.ts'

/** Somebody with an account, as far as it is known: by an API key, a session, or both. */
export class Person implements Caller {
  readonly name: string
  id = 0
  apiKey = ''
  session = ''
  refreshToken = ''
  subscriptionKey = ''
  referralCode = ''

  constructor(name: string) {
    this.name = name
  }

  token({ row }: ContractOperation): string | undefined {
    if (row.auth === 'customer') return this.apiKey || this.session
    return row.auth === 'session' ? this.session : undefined
  }

  signedIn(told: { user_id: number; session_token: string; refresh_token: string }): this {
    this.id = told.user_id
    this.session = told.session_token
    this.refreshToken = told.refresh_token
    return this
  }
}

/** The same bearer for everything. */
export const bearer = (name: string, token: string): Caller => ({ name, token: () => token })

/** No credential at all. */
export const nobody: Caller = { name: 'nobody', token: () => undefined }
