import type { IdentityProvider, ProvenIdentity } from '../ports/identity.ts'

/** VK ID. */
export class VkId implements IdentityProvider {
  readonly name = 'vk'
  readonly title = 'VK ID'

  constructor(_options: {
    readonly clientId: string
    readonly clientSecret: string | undefined
    readonly url: string
  }) {}

  async begin(): Promise<{ url: string; checks: string }> {
    return { url: '', checks: '' }
  }

  async finish(): Promise<ProvenIdentity> {
    return { subject: '', email: null }
  }
}
