import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startDnsAnswers } from '../../../test/support/engines/dns-answers.ts'
import { freePort } from '../../../test/support/ports.ts'
import { until } from '../agent.ts'

/** A certificate authority of the kind that Let's Encrypt is, and the names of its world: one that leads to the machine. */

const run = promisify(execFile)

export class Authority {
  readonly directoryUrl: string
  /** Whoever calls the authority itself believes this one. */
  readonly ownRoot: string
  readonly #managementUrl: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(child: ChildProcess, folder: string, host: string, ports: readonly [number, number]) {
    this.directoryUrl = `https://${host}:${ports[0]}/dir`
    this.#managementUrl = `https://${host}:${ports[1]}`
    this.#child = child
    this.#folder = folder
    this.ownRoot = readFileSync(join(folder, 'cert.pem'), 'utf8')
  }

  static async open(pebble: string, host: string, machine: string): Promise<Authority> {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-authority-'))
    const at = (name: string) => join(folder, name)
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=authority', '-addext', `subjectAltName=IP:${host}`],
      ...['-keyout', at('key.pem'), '-out', at('cert.pem')],
    ])
    const ports = [await freePort(), await freePort()] as const
    const settings = {
      listenAddress: `${host}:${ports[0]}`,
      managementListenAddress: `${host}:${ports[1]}`,
      certificate: at('cert.pem'),
      privateKey: at('key.pem'),
      httpPort: 80,
      tlsPort: 443,
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
      retryAfter: { authz: 1, order: 1 },
      profiles: { default: { description: 'usual', validityPeriod: 7_776_000 } },
    }
    writeFileSync(at('pebble.json'), JSON.stringify({ pebble: settings }))
    await startDnsAnswers(host, () => [machine])
    const child = spawn(pebble, ['-config', at('pebble.json'), '-dnsserver', `${host}:53`], {
      stdio: 'ignore',
      env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    })
    const authority = new Authority(child, folder, host, ports)
    await until('the authority to answer', () => authority.root().then(Boolean, () => false))
    return authority
  }

  /** What its certificates go back to. */
  async root(): Promise<string> {
    const args = ['-fsS', '--cacert', join(this.#folder, 'cert.pem'), `${this.#managementUrl}/roots/0`]
    return (await run('curl', args)).stdout
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
