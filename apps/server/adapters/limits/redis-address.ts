const sentinelShape =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)\/(?<name>[^/?]+)(?:\/(?<db>\d+))?(?:\?(?<query>.*))?$/

const usualPort = 26_379

const hostOf = (text: string): { host: string; port: number } => {
  const [, host = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? []
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port ?? usualPort) }
}

/**
 * `redis+sentinel://user:password@host1:26379,host2:26379/name/0?sentinel_password=…`: the sentinels are asked where the master of that
 * name is, and again whenever its connection is lost. Undefined for an address of Redis itself.
 */
export const sentinelOptions = (url: string) => {
  const parts = sentinelShape.exec(url)?.groups
  if (!parts) return undefined
  const { tls, user, password, hosts = '', name, db, query } = parts
  const said = (text: string | undefined) => (text ? decodeURIComponent(text) : undefined)
  const sentinelPassword = new URLSearchParams(query).get('sentinel_password')
  const words = { username: said(user), password: said(password) }
  return {
    sentinels: hosts.split(',').map(hostOf),
    name: said(name) ?? '',
    ...(words.username && { username: words.username }),
    ...(words.password && { password: words.password }),
    ...(sentinelPassword && { sentinelPassword }),
    ...(db && { db: Number(db) }),
    ...(tls && { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} }),
    sentinelCommandTimeout: 1000,
    sentinelRetryStrategy: (attempt: number) => Math.min(attempt * 100, 1000),
  }
}
