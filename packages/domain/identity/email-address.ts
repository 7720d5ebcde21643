/** One spelling for one mailbox: keyboards add spaces, and capitals are a matter of taste. */
export const readEmail = (text: string): string => text.trim().toLowerCase()

/** So much of it that its owner knows which mailbox is meant, and nobody else can write to it. */
export const hintOf = (email: string): string => {
  const at = email.lastIndexOf('@')
  const [name, host] = [email.slice(0, at), email.slice(at + 1)]
  const first = (text: string): string => ([...text].length > 2 ? ([...text][0] as string) : '')
  return `${first(name)}•••@${first(host)}•••${host.slice(host.lastIndexOf('.'))}`
}
