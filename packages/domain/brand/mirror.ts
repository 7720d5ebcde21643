/** Whether an address may stand among the mirrors: another origin of the same service, as browsers write it. */

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

/** Null when it may. */
export const mirrorProblem = (mirror: string, publicUrl: string): string | null => {
  if (!URL.canParse(mirror)) return 'must be an address, like https://vpn.example.net'
  const { protocol, origin, username, password } = new URL(mirror)
  if (protocol !== 'https:') return 'must begin with https://'
  if (username !== '' || password !== '') return 'must not hold a name or a password'
  if (mirror !== origin) return `must be written as ${origin}, without a path`
  return origin === originOf(publicUrl) ? 'is the address of the service itself' : null
}
