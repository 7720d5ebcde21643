import { connect, createServer, type Socket } from 'node:net'

/** Stands before a server, as a proxy that knows where the primary is does. */
export interface Gate {
  readonly port: number
  /** Where new connections go; the old ones stay where they are. */
  leadTo(port: number): void
  /** As if the machine behind had vanished: nothing comes through any more, and nothing is closed. */
  silence(): void
  /** The same for the one connection over which this is said next. */
  silenceAfter(words: string): void
  /** Ends every connection. */
  cut(): void
  close(): Promise<void>
}

const silencePair = ([caller, other]: readonly [Socket, Socket]): void => {
  caller.unpipe(other)
  other.unpipe(caller)
  // What still comes is dropped, as the network would.
  for (const socket of [caller, other]) socket.removeAllListeners('close').resume()
}

export const openGate = async (target: number): Promise<Gate> => {
  let towards = target
  const pairs = new Set<readonly [Socket, Socket]>()
  let lastWords: string | undefined
  const server = createServer((caller) => {
    const other = connect({ port: towards, host: '127.0.0.1' })
    const pair = [caller, other] as const
    pairs.add(pair)
    for (const [one, next] of [pair, [other, caller] as const]) {
      one.on('error', () => next.destroy())
      one.on('close', () => {
        next.destroy()
        pairs.delete(pair)
      })
    }
    caller.on('data', (said) => {
      if (lastWords === undefined || !said.includes(lastWords)) return
      lastWords = undefined
      silencePair(pair)
    })
    caller.pipe(other)
    other.pipe(caller)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const [caller, other] of pairs) for (const socket of [caller, other]) socket.destroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    leadTo: (port) => {
      towards = port
    },
    silence: () => {
      for (const pair of pairs) silencePair(pair)
    },
    silenceAfter: (words) => {
      lastWords = words
    },
    cut,
    close: async () => {
      cut()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
