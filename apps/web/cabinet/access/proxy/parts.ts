/** What programs ask for one by one, of a link like http://user:password@server:port; undefined for other links. */
export const proxyParts = (url: string) => {
  const [, user, password, host, port] =
    /^(?:https?|socks5):\/\/([^:@]*):([^@]*)@(.+):(\d+)\/?$/.exec(url) ?? []
  if (user === undefined || password === undefined || host === undefined || port === undefined)
    return undefined
  return { user: decodeURIComponent(user), password: decodeURIComponent(password), host, port }
}
