/** A link of the operator's that apps and pages offer: a web address, or a chat in Telegram. */

/** Null when it may stand there. */
export const supportUrlProblem = (url: string): string | null => {
  if (!URL.canParse(url)) return 'must be an address'
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'tg:') return 'must begin with https:// or tg://'
  if (hostname === '') return 'must name where it leads'
  return username === '' && password === '' ? null : 'must not hold a name or a password'
}
