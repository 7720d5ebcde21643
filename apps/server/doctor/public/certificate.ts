import { isIP } from 'node:net'
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { counted, type Finding, ok, problem, skipped, warning } from '../finding.ts'
import { type Check, nowOf, type Subject } from '../subject.ts'
import { publicUrlsOf } from './addresses.ts'
import { lookupBy, reasonOf } from './ask.ts'

/** The certificate that browsers get: whom it names, who vouches for it, and for how long. */

export interface Presented {
  /** Unix seconds. */
  readonly endsAt: number
  /** Why the chain does not hold; the code of OpenSSL. */
  readonly chainProblem: string | undefined
  readonly nameProblem: string | undefined
  readonly issuer: string
}

const renew =
  'Renew it: certbot renew --force-renewal (or lego renew), then nginx -s reload. See why its timer did not.'

const warnDays = 21
const badDays = 7

export const judgeCertificate = (host: string, at: Presented, now: number): readonly Finding[] => {
  const findings: Finding[] = []
  const left = at.endsAt - now
  const days = Math.floor(left / 86_400)
  if (left <= 0) findings.push(problem(`the certificate of ${host} has ended: no browser comes in`, renew))
  else if (days < badDays) {
    findings.push(problem(`the certificate of ${host} ends in ${counted(days, 'day')}`, renew))
  } else if (days < warnDays) {
    findings.push(warning(`the certificate of ${host} ends in ${counted(days, 'day')}`, renew))
  }
  if (at.nameProblem !== undefined) {
    findings.push(
      problem(
        `the certificate at ${host} is for other names`,
        `Get one for ${host}, and see that the proxy hands it out for this name (server_name).`,
      ),
    )
  }
  if (at.chainProblem !== undefined && !(at.chainProblem === 'CERT_HAS_EXPIRED' && left <= 0)) {
    const advice =
      at.chainProblem === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
        ? 'Hand out the whole chain: ssl_certificate must be fullchain.pem, not cert.pem.'
        : 'Get one of an authority that browsers know, by ACME (docs/operations.md).'
    findings.push(problem(`nobody vouches for the certificate of ${host} (${at.chainProblem})`, advice))
  }
  if (findings.length > 0) return findings
  return [ok(`the certificate of ${host} is good for ${counted(days, 'day')} (${at.issuer})`)]
}

const unverified = new Set(['ERR_TLS_CERT_ALTNAME_INVALID'])

const presentedBy = (socket: TLSSocket, host: string): Presented => {
  const certificate: PeerCertificate = socket.getPeerCertificate()
  const error = socket.authorizationError as { code?: string } | string | undefined
  const code = typeof error === 'string' ? error : error?.code
  return {
    endsAt: Math.floor(Date.parse(certificate.valid_to) / 1000),
    chainProblem: code === undefined || unverified.has(code) ? undefined : code,
    nameProblem: checkServerIdentity(host, certificate)?.message,
    issuer: String(certificate.issuer?.O ?? certificate.issuer?.CN ?? 'no name'),
  }
}

const handshake = ({ names }: Subject, url: URL): Promise<Presented> =>
  new Promise((resolve, reject) => {
    const host = url.hostname.replaceAll(/[[\]]/g, '')
    const socket = connect({
      host,
      port: Number(url.port) || 443,
      ...(isIP(host) === 0 && { servername: host }),
      lookup: lookupBy(names),
      rejectUnauthorized: false,
    })
    socket.setTimeout(8000, () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      try {
        resolve(presentedBy(socket, host))
      } catch (error) {
        reject(error)
      } finally {
        socket.destroy()
      }
    })
  })

export const certificateCheck: Check = {
  name: 'certificate',
  about: 'certificates of PUBLIC_URL and of mirrors: name, chain, days left',
  run: async (subject) => {
    const urls = (await publicUrlsOf(subject)).map((url) => new URL(url))
    const encrypted = urls.filter(({ protocol }) => protocol === 'https:')
    if (encrypted.length === 0) return [skipped('PUBLIC_URL is not an https address')]
    const found = await Promise.all(
      encrypted.map(async (url) => {
        try {
          return judgeCertificate(url.hostname, await handshake(subject, url), nowOf(subject))
        } catch (error) {
          return [
            problem(
              `${url.hostname} cannot be spoken to with TLS (${reasonOf(error)})`,
              'See that the proxy listens there with a certificate: nginx -t, systemctl status nginx.',
            ),
          ]
        }
      }),
    )
    return found.flat()
  },
}
