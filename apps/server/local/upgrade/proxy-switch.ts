import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Port, ports } from './turn.ts'

/**
 * nginx looks for these files at each request (deploy/nginx/service.part): one of them says who is asked first, the other port being
 * there for when that one is gone. Without any both are asked in turn. A reboot forgets them.
 */
export class ProxySwitch {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  sendAllTo(port: Port): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o755 })
    writeFileSync(this.#fileOf(port), '')
    for (const one of ports) if (one !== port) rmSync(this.#fileOf(one), { force: true })
  }

  sendToBoth(): void {
    for (const port of ports) rmSync(this.#fileOf(port), { force: true })
  }

  #fileOf(port: Port): string {
    return join(this.#folder, `first-${port}`)
  }
}
