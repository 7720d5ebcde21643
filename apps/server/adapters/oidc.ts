import type { IdentityProvider, ProvenIdentity } from '../ports/identity.ts'

export interface OidcOptions {
  readonly name: string
  readonly title: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly trustsEmail: 'always' | 'never' | 'google'
}

/** Any provider that speaks OpenID Connect. */
export class OidcProvider implements IdentityProvider {
  readonly name: string
  readonly title: string

  constructor(options: OidcOptions) {
    this.name = options.name
    this.title = options.title
  }

  async begin(): Promise<{ url: string; checks: string }> {
    return { url: '', checks: '' }
  }

  async finish(): Promise<ProvenIdentity> {
    return { subject: '', email: null }
  }
}
