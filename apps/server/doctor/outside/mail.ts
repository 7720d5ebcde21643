import type { MailServerFacts } from '../../ports/mail.ts'
import { type Finding, ok, orElse, problem, skipped, warning } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'

/** Letters: whether the server takes them from us, and whether others believe that they are ours. */

const judgeMailServer = ({ isEncrypted }: MailServerFacts, url: string): Finding => {
  const { hostname } = new URL(url)
  if (isEncrypted || /^(localhost|127\.|\[?::1)/.test(hostname)) return ok(`${hostname} lets us in`)
  return warning(
    `${hostname} offers no encryption: the password and codes to sign in can be read on the way`,
    'Use smtps:// (port 465), or a server that offers STARTTLS.',
  )
}

export const mailCheck: Check = {
  name: 'mail',
  about: 'the mail server answers, is encrypted, and lets us in',
  run: async ({ config, mailServer }) => {
    const { smtp } = config.identity
    if (!smtp || !mailServer) return [skipped('SMTP_URL is not set')]
    try {
      return [judgeMailServer(await mailServer(), smtp.url)]
    } catch (error) {
      const { hostname } = new URL(smtp.url)
      return [
        problem(
          `${hostname} ${(error as Error).message}`,
          'See the host, the port, the user and the password in SMTP_URL; many providers close port 25.',
        ),
      ]
    }
  },
}

export interface MailRecords {
  readonly spf: readonly string[]
  readonly dmarc: readonly string[]
}

export const judgeMailDomain = (domain: string, { spf, dmarc }: MailRecords): readonly Finding[] => {
  const findings: Finding[] = []
  if (spf.length === 0) {
    findings.push(
      warning(
        `${domain} does not say who may send for it (SPF): letters end up as spam`,
        `Add a TXT record to ${domain}, like v=spf1 include:… -all, as your mail server says.`,
      ),
    )
  }
  if (spf.length > 1) {
    findings.push(warning(`${domain} has ${spf.length} SPF records, so none counts`, 'Make one of them.'))
  }
  if (spf.some((record) => /[\s]\+?all\b/.test(record))) {
    findings.push(
      warning(`the SPF record of ${domain} lets anybody send for it`, 'End it with -all or ~all.'),
    )
  }
  if (dmarc.length === 0) {
    findings.push(
      warning(
        `${domain} does not say what becomes of forged letters (DMARC): large providers refuse those without`,
        `Add a TXT record to _dmarc.${domain}, like v=DMARC1; p=quarantine; rua=mailto:…`,
      ),
    )
  }
  const dkim = 'whether letters are signed (DKIM) is seen in one that has arrived only'
  return orElse(findings, `${domain} has SPF and DMARC; ${dkim}`)
}

/** What is after the last @, without the angle bracket. */
export const domainOf = (from: string): string => /@([^\s>@]+)>?\s*$/.exec(from)?.[1]?.toLowerCase() ?? ''

const textsOf = async ({ names }: Subject, name: string, begins: RegExp): Promise<readonly string[]> =>
  (await names.texts(name)).filter((text) => begins.test(text))

/** A domain without a policy of its own has that of the one above it. */
const dmarcOf = async (subject: Subject, domain: string): Promise<readonly string[]> => {
  const found = await textsOf(subject, `_dmarc.${domain}`, /^v=DMARC1\b/i)
  const above = domain.split('.').slice(-2).join('.')
  return found.length > 0 || above === domain ? found : textsOf(subject, `_dmarc.${above}`, /^v=DMARC1\b/i)
}

export const mailDomainCheck: Check = {
  name: 'mail-domain',
  about: 'records by which others believe letters of MAIL_FROM (SPF, DMARC)',
  run: async (subject) => {
    const { smtp } = subject.config.identity
    if (!smtp) return [skipped('SMTP_URL is not set')]
    const domain = domainOf(smtp.from)
    try {
      const [spf, dmarc] = await Promise.all([
        textsOf(subject, domain, /^v=spf1\b/i),
        dmarcOf(subject, domain),
      ])
      return judgeMailDomain(domain, { spf, dmarc })
    } catch (error) {
      return [
        skipped(
          `the records of ${domain} cannot be read (${(error as { code?: string }).code ?? 'no answer'})`,
        ),
      ]
    }
  },
}
