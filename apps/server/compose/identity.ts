import { join } from 'node:path'
import { OidcProvider } from '../adapters/identity/oidc.ts'
import { VkId } from '../adapters/identity/vk-id.ts'
import { FolderMailer } from '../adapters/mail/folder-mailer.ts'
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts'
import type { Config } from '../config.ts'
import type { IdentityProvider } from '../ports/identity.ts'
import type { Log } from '../ports/log.ts'
import type { Mailer } from '../ports/mail.ts'

export const chooseMailer = ({ identity, dataDir }: Config, log: Log): Mailer =>
  identity.smtp
    ? new SmtpMailer(identity.smtp)
    : new FolderMailer(join(dataDir, 'mail'), (path) => log.info({ path }, 'a letter was written'))

/** The identity providers that are configured, by name. */
export const chooseIdentityProviders = ({ identity }: Config): ReadonlyMap<string, IdentityProvider> => {
  const providers: IdentityProvider[] = identity.oidc.map((settings) => new OidcProvider(settings))
  if (identity.vk) providers.push(new VkId(identity.vk))
  return new Map(providers.map((provider) => [provider.name, provider]))
}
