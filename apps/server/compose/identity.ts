import { join } from 'node:path'
import { FolderMailer } from '../adapters/folder-mailer.ts'
import { OidcProvider } from '../adapters/oidc.ts'
import { SmtpMailer } from '../adapters/smtp-mailer.ts'
import { VkId } from '../adapters/vk-id.ts'
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
