import { createReadStream, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'

/** What a bare machine downloads: packages of its distribution, and a release. */
export class Mirror {
  readonly url: string
  readonly #server: Server

  private constructor(server: Server, host: string) {
    this.#server = server
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`
  }

  static async open(host: string, folders: readonly string[]): Promise<Mirror> {
    const server = createServer((request, response) => {
      const name = basename(decodeURIComponent(new URL(request.url ?? '/', 'http://mirror').pathname))
      const found = folders
        .map((folder) => join(folder, name))
        .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
      if (!found) return void response.writeHead(404).end()
      response.writeHead(200, { 'content-length': statSync(found).size })
      createReadStream(found).pipe(response)
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    return new Mirror(server, host)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
