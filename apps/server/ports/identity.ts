/** What an identity provider says about a person. */
export interface ProvenIdentity {
  /** The provider's own name for the person, which never changes. */
  readonly subject: string
  /** An e-mail address that the provider vouches for; null when it does not. */
  readonly email: string | null
}

export interface ProviderAnswer {
  readonly code: string
  readonly state: string
  readonly iss: string | undefined
  readonly deviceId: string | undefined
}

/** Somebody else who knows who a person is: OpenID Connect, or something like it. */
export interface IdentityProvider {
  readonly name: string
  /** For a button. */
  readonly title: string
  /** Where to send the browser, and what the answer is checked with later (kept sealed). */
  begin(at: {
    readonly redirectUri: string
    readonly state: string
  }): Promise<{ readonly url: string; readonly checks: string }>
  /** Throws IdentityRefused, or IdentityUnavailable when the provider cannot be asked. */
  finish(at: {
    readonly redirectUri: string
    readonly checks: string
    readonly answer: ProviderAnswer
  }): Promise<ProvenIdentity>
}

/** The answer is not to be believed: a wrong signature, nonce, audience, or a code that was used. */
export class IdentityRefused extends Error {}

/** The provider did not answer, or not in a way that makes sense; the person may try again. */
export class IdentityUnavailable extends Error {}
