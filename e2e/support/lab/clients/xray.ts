import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Socks } from '../contracts.ts'
import { parseLink } from '../links.ts'
import type { Lab } from '../namespaces.ts'
import { Traffic } from '../traffic.ts'
import type { SteadyClient } from './client.ts'
import { xrayOutbound } from './xray-outbound.ts'

const config = (port: number, outbound: object) => ({
  log: { loglevel: 'warning' },
  inbounds: [{ listen: '127.0.0.1', port, protocol: 'socks', settings: { udp: true } }],
  outbounds: [outbound],
})

export type XrayApp = SteadyClient & { readonly socks: Socks }

/** Xray as the customer's app, with a SOCKS port for the customer's programs. */
export const startXray = async (lab: Lab, binary: string, link: string): Promise<XrayApp> => {
  const port = lab.nextPort()
  const file = join(lab.directory, `xray-${port}.json`)
  await writeFile(file, JSON.stringify(config(port, xrayOutbound(parseLink(link)))))
  const place = lab.place('client')
  const process = lab.run(place, binary, ['run', '-c', file])
  await process.until(/Xray .* started/)
  const socks = { host: '127.0.0.1', port }
  const traffic = new Traffic(lab, place, socks)
  return {
    name: 'xray',
    socks,
    tcp: (target, size) => traffic.tcp(target, size),
    udp: (target, payload, timeoutMs) => traffic.udp(target, payload, timeoutMs),
    resolve: (resolver, name) => traffic.resolve(resolver, name),
    raw: (target, payload) => traffic.raw(target, payload),
    steady: (target, pace) => traffic.steady(target, pace),
    goesAnywhere: true,
    log: () => process.output + process.errors,
    close: () => process.stop(),
  }
}
