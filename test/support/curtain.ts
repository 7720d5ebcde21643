import { connect, createServer, type Socket } from 'node:net'

/** As some networks treat connections to foreign hosting: so many bytes come through, and then nothing, without an end. */

export const curtainBytes = 16_384
/** What TLS takes of it before the first answer: a chain of certificates, with what else is said then. */
export const certificateBytes = 3072

export interface Curtain {
  readonly url: string
  close(): Promise<void>
}

export const openCurtain = async (to: string, passes = curtainBytes): Promise<Curtain> => {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    const far = keep(connect(Number(port), hostname))
    keep(near).pipe(far)
    let left = passes
    far.on('data', (chunk: Buffer) => {
      const passed = chunk.subarray(0, left)
      left -= passed.length
      if (passed.length > 0) near.write(passed)
    })
    far.on('end', () => {
      if (left > 0) near.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
