import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { also, arrayOf, dropped, object, only, text } from './checkers.ts'

const maxLines = 400
const files = 'reads a file of the server: write the PEM lines into certificate and key instead'

const lines = (titles: string) =>
  arrayOf(
    text(
      new RegExp(`^(?:-----(?:BEGIN|END) (?:${titles})-----|[A-Za-z0-9+/]{0,76}={0,2})$`),
      'must be one line of PEM',
    ),
    3,
    maxLines,
  )

/** Kinds that Go's TLS serves with. */
const isServable = ({ asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): boolean => {
  const { modulusLength = 0, namedCurve = '' } = details ?? {}
  if (kind === 'rsa') return modulusLength >= 2048 && modulusLength <= 4096
  return (
    kind === 'ed25519' || (kind === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve))
  )
}

const parsed = <T>(parse: () => T): T | null => {
  try {
    return parse()
  } catch {
    return null
  }
}

export const certificate = also(
  object(
    { certificate: lines('CERTIFICATE'), key: lines('PRIVATE KEY|RSA PRIVATE KEY|EC PRIVATE KEY') },
    { usage: dropped(only('encipherment')) },
    {
      certificateFile: files,
      keyFile: files,
      ocspStapling: 'makes the server call an address from the certificate',
      oneTimeLoading: 'concerns files only',
      buildChain: 'concerns issuing certificates',
    },
  ),
  (value, report) => {
    const own = parsed(() => new X509Certificate(value.certificate.join('\n')))
    const key = parsed(() => createPrivateKey(value.key.join('\n')))
    if (own === null) report('certificate', 'is not a certificate in PEM')
    if (key === null) report('key', 'is not a private key in PEM without a password')
    if (key && !isServable(key))
      report('key', 'must be RSA with 2048 to 4096 bits, ECDSA P-256 to P-521 or Ed25519')
    else if (own && key && !own.checkPrivateKey(key)) report('key', 'is not the key of the certificate')
  },
)
