import { type AddressInfo, createServer } from 'node:net'

/** A port nobody listens on now, for PORT=0: the address is written down before the public server opens. */
export const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
