import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DnsInput, DnsQuestion, SiteInput } from './contracts.ts'
import type { LabProcess } from './lab-process.ts'
import { addresses, type Lab } from './namespaces.ts'

/** What stands in the lab's internet before any VPN server does. */

export const sitePort = 8080
export const tlsPort = 443
export const siteNames = ['www.site.example.com', 'www.other.example.com'] as const
/** Resolves to the entry's private neighbour, as a rebinding name would. */
export const rebindingName = 'rebind.example.com'

export interface CertificateFiles {
  readonly certificateFile: string
  readonly keyFile: string
}

/** Self-signed, made by Xray itself. */
export const makeCertificate = async (
  lab: Lab,
  xray: string,
  names: readonly string[],
): Promise<CertificateFiles> => {
  const domains = names.map((name) => `-domain=${name}`)
  const args = ['tls', 'cert', ...domains, `-name=${names[0]}`, '-expire=48h']
  const { stdout } = await promisify(execFile)(xray, args)
  const { certificate, key } = JSON.parse(stdout) as { certificate: string[]; key: string[] }
  const base = join(lab.directory, `certificate-${lab.nextPort()}`)
  const files = { certificateFile: `${base}.pem`, keyFile: `${base}.key` }
  await writeFile(files.certificateFile, certificate.join('\n'))
  // Xray calls its PKCS #8 key an RSA one; OpenSSL takes the word seriously.
  await writeFile(files.keyFile, key.join('\n').replaceAll('RSA PRIVATE KEY', 'PRIVATE KEY'))
  return files
}

export class Internet {
  readonly #resolver: LabProcess

  private constructor(resolver: LabProcess) {
    this.#resolver = resolver
  }

  static async open(lab: Lab, xray: string): Promise<Internet> {
    const certificate = await makeCertificate(lab, xray, siteNames)
    const site: SiteInput = {
      addresses: [addresses.site, addresses.otherSite],
      port: sitePort,
      tls: { port: tlsPort, ...certificate },
    }
    const hidden: SiteInput = { addresses: ['0.0.0.0'], port: sitePort }
    const names: DnsInput['names'] = {
      [siteNames[0]]: addresses.site,
      [siteNames[1]]: addresses.otherSite,
      [rebindingName]: addresses.home,
    }
    const resolvers = [addresses.resolver, ...addresses.familyResolvers]
    const dns: DnsInput = { addresses: resolvers, names, otherwise: addresses.site }
    const started = [
      lab.program(lab.place('internet'), 'dns', dns),
      lab.program(lab.place('internet'), 'site', site),
      // What no customer may reach: a neighbour of the entry, and the entry's own loopback.
      lab.program(lab.place('home'), 'site', hidden),
      lab.program(lab.place('entry'), 'site', { ...hidden, addresses: ['127.0.0.1', addresses.entryAtHome] }),
    ] as const
    await Promise.all(started.map((process) => process.until(/listening/)))
    return new Internet(started[0])
  }

  /** Every question its resolvers have been asked so far. */
  get questions(): DnsQuestion[] {
    return this.#resolver.lines<DnsQuestion>()
  }
}
