import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface Relay {
  readonly url: string
  close(): Promise<void>
}

/** The service listens on loopback; agents find it at this address of the machine. */
export const relayTo = async (address: string, serviceUrl: string): Promise<Relay> => {
  const { hostname, port } = new URL(serviceUrl)
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
