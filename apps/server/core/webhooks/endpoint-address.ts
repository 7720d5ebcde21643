import { isAddress, isPublicAddress, publicNameProblem } from '@sallyport/domain/vpn/public-address'

/** Where events may be sent: to the public internet, encrypted. To try it out, to this machine too, where that is allowed. */

const loopback = /^127\.\d+\.\d+\.\d+$|^::1$/

/** Judged once more when it is dialled, for a name may lead anywhere. */
export const mayDial =
  (toLoopback: boolean) =>
  (address: string, protocol: string): boolean =>
    protocol === 'https:' ? isPublicAddress(address) : toLoopback && loopback.test(address)

/** What keeps a text from being an address for events, or null. */
export const endpointProblem = (text: string, toLoopback: boolean): string | null => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return 'must be an address that begins with https://'
  if (url.username !== '' || url.password !== '') return 'must carry no user name and no password'
  if (url.hash !== '') return 'must end before #: that part is never sent'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (url.protocol === 'http:') {
    if (toLoopback && (host === 'localhost' || loopback.test(host))) return null
    return toLoopback
      ? 'must begin with https://, or with http:// at this machine (127.0.0.1)'
      : 'must begin with https://'
  }
  if (isAddress(host)) return isPublicAddress(host) ? null : 'must lie at a public address'
  return publicNameProblem(host)
}
