import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundCertificate } from '../contracts.ts'
import { type Link, parseLink } from '../links.ts'
import type { Lab } from '../namespaces.ts'
import { Traffic } from '../traffic.ts'
import type { Client } from './client.ts'
import { pinOf, type SingBoxEntry, singBoxEntry } from './sing-box-outbound.ts'

const config = (port: number, { section, entry }: SingBoxEntry) => ({
  log: { level: 'info' },
  inbounds: [{ type: 'mixed', listen: '127.0.0.1', listen_port: port }],
  [section]: [{ tag: 'vpn', ...entry }],
  route: { final: 'vpn' },
})

/** The certificate that a link pins, once it is known to be that one. */
const pinnedCertificate = async (lab: Lab, link: Link): Promise<FoundCertificate | null> => {
  const pin = pinOf(link)
  if (pin === null || !('security' in link)) return null
  const { serverName } = link.security
  const target = { host: link.host, port: link.port }
  const found = await new Traffic(lab, lab.place('client')).certificate(target, serverName ?? undefined)
  if (found.sha256 !== pin) throw new Error(`The link pins ${pin}, the server shows ${found.sha256}`)
  return found
}

/** sing-box as the customer's app. */
export const startSingBox = async (lab: Lab, binary: string, text: string): Promise<Client> => {
  const link = parseLink(text)
  const port = lab.nextPort()
  const file = join(lab.directory, `sing-box-${port}.json`)
  const entry = singBoxEntry(link, await pinnedCertificate(lab, link))
  await writeFile(file, JSON.stringify(config(port, entry)))
  const place = lab.place('client')
  const process = lab.run(place, binary, ['run', '-c', file])
  await process.until(/sing-box started/)
  const traffic = new Traffic(lab, place, { host: '127.0.0.1', port })
  return {
    name: 'sing-box',
    tcp: (target, size) => traffic.tcp(target, size),
    udp: (target, payload, timeoutMs) => traffic.udp(target, payload, timeoutMs),
    resolve: (resolver, name) => traffic.resolve(resolver, name),
    goesAnywhere: true,
    log: () => process.output + process.errors,
    close: () => process.stop(),
  }
}
