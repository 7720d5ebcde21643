import { createTransport } from 'nodemailer'
import { type MailServerFacts, MailServerRefusal } from '../../ports/mail.ts'

/** Connects, logs in, and says goodbye; no letter is sent. */

const timeoutMs = 8000
const timeouts = {
  dnsTimeout: timeoutMs,
  connectionTimeout: timeoutMs,
  greetingTimeout: timeoutMs,
  socketTimeout: timeoutMs,
}

interface Failure {
  readonly message: string
  readonly code?: string
  readonly responseCode?: number
}

const explain = ({ code, message, responseCode }: Failure): string => {
  if (code === 'EAUTH') return `refuses the login (${responseCode ?? 'no code'})`
  if (code === 'ETLS') return 'offers no encryption'
  if (/certificate|altname/i.test(message)) return `has a certificate that does not hold: ${message}`
  return `does not answer (${code ?? 'unknown failure'}${responseCode ? `, ${responseCode}` : ''})`
}

const verify = async (url: string, requireTLS: boolean): Promise<void> => {
  const transport = createTransport({ ...timeouts, url, ...(requireTLS && { requireTLS }) })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

export const checkSmtp = async (url: string): Promise<MailServerFacts> => {
  try {
    await verify(url, false)
  } catch (error) {
    throw new MailServerRefusal(explain(error as Failure))
  }
  if (url.startsWith('smtps:')) return { isEncrypted: true }
  return {
    isEncrypted: await verify(url, true).then(
      () => true,
      () => false,
    ),
  }
}
