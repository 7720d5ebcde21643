import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that the service has begun to read and cannot answer yet: its body is still to come. */
export const beginRequest = async (
  url: string,
  path: string,
  { token, body }: { readonly token: string; readonly body: unknown },
) => {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  const payload = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(payload)}`,
    'Connection: close',
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  // The answer "100 Continue" proves that the head was read.
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('readable', resolve)
  })
  return {
    /** Sends the rest; returns everything the service said, to the end of the connection. */
    finish: (): Promise<string> => {
      socket.write(payload)
      return text(socket)
    },
  }
}
