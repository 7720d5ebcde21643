import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { badRequest } from '@sallyport/contract/errors'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { pinOf } from '@sallyport/domain/vpn/engine/instance-endpoint'

/** Certificates of servers: the operator's, or made here. */

export interface ServerCertificate {
  /** PEM. */
  readonly certificate: string
  readonly key: string
  /** Null for one of the operator's, which an authority signed. */
  readonly pin: string | null
}

const certificateDays = 3650

export const makeCertificate = (serverName: string, now: number): ServerCertificate => {
  const certificate = selfSignedCertificate({
    serverName,
    notBefore: now - 86_400,
    days: certificateDays,
    keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    serial: randomBytes(16).toString('hex'),
  })
  return { ...certificate, pin: pinOf(certificate.certificate) }
}

/** As the operator gives it; what does not fit together is refused. */
export const readCertificate = ({
  certificate,
  key,
}: {
  certificate: string
  key: string
}): ServerCertificate => {
  try {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) {
      return { certificate, key, pin: null }
    }
  } catch {
    throw badRequest('certificate', 'must be a PEM certificate, with its key in certificate_key')
  }
  throw badRequest('certificate_key', 'is not the key of the certificate')
}

export const isForName = (certificate: string, domain: string): boolean =>
  new X509Certificate(certificate).checkHost(domain) !== undefined

/** Unix seconds. */
export const certificateEnd = (certificate: string): number =>
  Math.floor(new X509Certificate(certificate).validToDate.getTime() / 1000)
