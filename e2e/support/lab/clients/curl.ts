import type { Socks, TcpResult } from '../contracts.ts'
import type { Lab } from '../namespaces.ts'
import { type Target, type TcpSize, Traffic } from '../traffic.ts'
import type { Client } from './client.ts'

const usualTimeoutMs = 45_000
const separator = '\n--\n'

/** %{...} of curl, and the site's own header; the body goes nowhere. */
const report = `${separator}%{size_download} %{time_total} %{time_starttransfer} %{http_code} %header{x-peer}`

const fetchWithCurl = async (
  lab: Lab,
  proxy: string | null,
  target: Target,
  size: TcpSize,
): Promise<TcpResult> => {
  const { downBytes, upBytes = 0, serverName, timeoutMs = usualTimeoutMs } = size
  const scheme = serverName === undefined ? 'http' : 'https'
  const url = `${scheme}://${serverName ?? target.host}:${target.port}/bytes/${downBytes}`
  const name = serverName === undefined ? [] : ['--connect-to', `::${target.host}:${target.port}`, '-k']
  const limits = ['--max-time', String(timeoutMs / 1000), '--noproxy', '']
  const upload = upBytes > 0 ? ['--data-binary', `@${await lab.fileOf(upBytes)}`] : []
  // One that is not meant to end leaves the machine to others.
  const pace = downBytes > 1_000_000_000 ? ['--limit-rate', '50M'] : []
  const output = ['-sS', '-o', '/dev/null', '-w', report]
  const through = proxy === null ? [] : ['-x', proxy]
  const args = [...through, ...limits, ...pace, ...name, ...upload, ...output, url]
  const text = (await lab.run(lab.place('client'), 'curl', args).answer()).split(separator)[1] ?? ''
  const [bytes, total, start, status, peer] = text.split(' ')
  if (status !== '200') throw new Error(`The proxy or the site answers ${status}`)
  if (Number(bytes) !== downBytes) throw new Error(`${bytes} bytes of ${downBytes} came`)
  return {
    bytes: Number(bytes),
    peer: peer ?? '',
    seconds: Number(total),
    transferSeconds: Number(total) - Number(start),
  }
}

/** A copy without any proxy, to compare with. */
export const copyWithCurl = (lab: Lab, target: Target, size: TcpSize): Promise<TcpResult> =>
  fetchWithCurl(lab, null, target, size)

/** curl cannot send datagrams through SOCKS5; a plain SOCKS5 client does. */
const socksOf = (proxy: string): Socks => {
  const url = new URL(proxy)
  const sign = { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  return { host: url.hostname, port: Number(url.port), ...sign }
}

/** curl with the proxy's own address as the service gave it out. */
export const startCurl = async (lab: Lab, proxy: string): Promise<Client> => {
  const scheme = new URL(proxy).protocol
  if (scheme !== 'http:' && scheme !== 'socks5:') throw new Error(`curl is not meant for ${scheme}`)
  const datagrams = scheme === 'http:' ? null : new Traffic(lab, lab.place('client'), socksOf(proxy))
  return {
    name: 'curl',
    tcp: (target, size) => fetchWithCurl(lab, proxy, target, size),
    udp: datagrams && ((target, payload, timeoutMs) => datagrams.udp(target, payload, timeoutMs)),
    resolve: datagrams && ((resolver, name) => datagrams.resolve(resolver, name)),
    goesAnywhere: true,
    log: () => '',
    close: async () => {},
  }
}
