import type { TcpResult } from '../contracts.ts'
import type { Line } from './line.ts'

/** One exchange, timed. The end of the connection is not waited for: proxies hold it back for seconds. */
export const copyBytes = async (
  open: () => Promise<Line & { readonly peer: string }>,
  { upBytes, downBytes }: { readonly upBytes: number; readonly downBytes: number },
): Promise<TcpResult> => {
  const startedMs = performance.now()
  const line = await open()
  await line.ask(upBytes, downBytes)
  const answeredMs = performance.now()
  const bytes = await line.take()
  const endedMs = performance.now()
  line.end()
  return {
    bytes,
    peer: line.peer,
    seconds: (endedMs - startedMs) / 1000,
    transferSeconds: (endedMs - answeredMs) / 1000,
  }
}
