import { packageDepot } from '../../../test/support/machines/depot.ts'
import { bootMachine, type Machine, type Outcome } from '../../../test/support/machines/machine.ts'
import { linkedNetwork, type OwnNetwork } from '../../../test/support/machines/network.ts'
import { enginePath } from '../../../test/support/pieces.ts'
import { Authority } from './authority.ts'
import { dataOf } from './first-sale.ts'
import { Mirror } from './mirror.ts'
import { type SecureCall, type SecureSite, secureCaller } from './secure-call.ts'

/** A bare Debian with a name, and around it what the installer needs of the world: packages, releases, an authority. */
export class ServiceMachine {
  readonly domain = 'vpn.example.com'
  readonly machine: Machine
  readonly network: OwnNetwork
  readonly mirror: Mirror
  readonly authority: Authority
  readonly site: SecureSite
  /** By HTTPS, on a connection of its own. */
  readonly call: SecureCall

  private constructor(
    parts: Pick<ServiceMachine, 'machine' | 'network' | 'mirror' | 'authority'>,
    root: string,
  ) {
    this.machine = parts.machine
    this.network = parts.network
    this.mirror = parts.mirror
    this.authority = parts.authority
    this.site = { domain: this.domain, address: this.network.address, root }
    this.call = secureCaller(this.site)
  }

  /** What is in the folders can be downloaded. `debian` is another release of Debian than this machine's own. */
  static async boot(folders: readonly string[], debian?: string): Promise<ServiceMachine> {
    const depot = await packageDepot(debian)
    const network = await linkedNetwork()
    const mirror = await Mirror.open(network.hostAddress, [...folders, depot, 'deploy'])
    const authority = await Authority.open(
      enginePath('pebble', 'SALLYPORT_PEBBLE') ?? '',
      network.hostAddress,
      network.address,
    )
    const machine = await bootMachine({
      name: 'service',
      userData: '#cloud-config\n',
      network: { ...network, resolvers: [network.hostAddress] },
      release: debian,
    })
    await machine.cloudInit()
    await machine.run(
      `rm -rf /etc/apt/sources.list.d/*; echo 'deb [trusted=yes] ${mirror.url}/ ./' >/etc/apt/sources.list; apt-get update -qq
       cat >/usr/local/share/ca-certificates/authority.crt; update-ca-certificates`,
      { input: authority.ownRoot },
    )
    return new ServiceMachine({ machine, network, mirror, authority }, await authority.root())
  }

  get script(): string {
    return `curl -fsSL ${this.mirror.url}/install.sh | sh -s --`
  }

  /** What the installer is told for a service that sells, of that release on the mirror. */
  optionsFor(file: string): string {
    return (
      `--domain ${this.domain} --email olga@example.com --owner olga --location nl:Нидерланды:Netherlands --price 200 ` +
      `--acme-server ${this.authority.directoryUrl} --release ${this.mirror.url}/${file}`
    )
  }

  install(options = ''): Promise<Outcome> {
    return this.machine.exec(`${this.script} ${options}`, { timeoutMs: 400_000 })
  }

  /** The data of an answer that has to be a success. */
  demand(method: string, path: string, token: string, body?: object) {
    return dataOf(this.call)(method, path, token, body)
  }

  answers(): Promise<boolean> {
    return this.call('GET', '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
  }

  async close(): Promise<void> {
    await this.machine.destroy()
    await this.authority.close()
    await this.mirror.close()
    await this.network.remove()
  }
}
