/** Whether an address may stand among the mirrors: another origin of the same service, as browsers write it. */

/** A name, or an address, in brackets where it has colons. Browsers take other signs in names too, such as ; and , */
const plainOrigin = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/

/** Whether it names a host by nothing that means something else where origins are listed. */
export const isPlainOrigin = (origin: string): boolean => plainOrigin.test(origin)

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/** Null when it may. */
export const mirrorProblem = (mirror: string, publicUrl: string): string | null => {
  if (!URL.canParse(mirror)) return 'must be an address, like https://vpn.example.net'
  const { protocol, origin, username, password } = new URL(mirror)
  if (protocol !== 'https:') return 'must begin with https://'
  if (username !== '' || password !== '') return 'must not hold a name or a password'
  if (mirror !== origin) return `must be written as ${origin}, without a path`
  if (!isPlainOrigin(origin)) return 'must name its host by letters, digits, dots and hyphens'
  return origin === originOf(publicUrl) ? 'is the address of the service itself' : null
}
