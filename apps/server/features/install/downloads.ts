import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** Large files that are being sent: few at once, and only to whoever goes on reading. */

export interface DownloadLimits {
  readonly most: number
  readonly mostOfAddress: number
  /** What has to be read in each span; whoever keeps to it has the largest file in time. */
  readonly leastBytesPerSecond: number
  readonly spanMs: number
  /** However much is read. */
  readonly longestMs: number
  /** When all places are taken, the slowest of those who had so long gives way. */
  readonly graceMs: number
}

export const usualLimits: DownloadLimits = {
  most: 32,
  mostOfAddress: 4,
  leastBytesPerSecond: 64 * 1024,
  spanMs: 10_000,
  longestMs: 15 * 60_000,
  graceMs: 5000,
}

interface Download {
  readonly address: string
  readonly startedMs: number
  readonly bytesRead: () => number
  readonly end: () => void
}

/** How much of an answer has left this process; what lies in the system's buffers counts as read. */
const countRead = ({ socket }: ServerResponse): (() => number) => {
  const sent = () => (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)
  const before = sent()
  return () => sent() - before
}

export class Downloads {
  readonly #limits: DownloadLimits
  readonly #running = new Set<Download>()

  constructor(limits: DownloadLimits) {
    this.#limits = limits
  }

  isCrowd(address: string): boolean {
    const ofAddress = [...this.#running].filter((one) => one.address === address)
    return ofAddress.length >= this.#limits.mostOfAddress
  }

  /** Makes room, if it can: a place is for whoever uses it. */
  hasRoom(): boolean {
    if (this.#running.size < this.#limits.most) return true
    const slowest = this.#slowest()
    slowest?.end()
    return slowest !== undefined
  }

  async send(address: string, path: string, response: ServerResponse): Promise<void> {
    const bytesRead = countRead(response)
    const download: Download = {
      address,
      startedMs: performance.now(),
      bytesRead,
      end: () => {
        this.#running.delete(download)
        response.destroy()
      },
    }
    this.#running.add(download)
    const stopWatching = this.#watch(download)
    response.writeHead(200)
    // Whoever hangs up is gone; there is nobody to tell.
    await pipeline(createReadStream(path), response).catch(() => response.destroy())
    stopWatching()
    this.#running.delete(download)
  }

  #watch({ bytesRead, end }: Download): () => void {
    const { leastBytesPerSecond, spanMs, longestMs } = this.#limits
    let before = 0
    const pace = setInterval(() => {
      const read = bytesRead()
      if (read - before < (leastBytesPerSecond * spanMs) / 1000) end()
      before = read
    }, spanMs)
    const limit = setTimeout(end, longestMs)
    return () => {
      clearInterval(pace)
      clearTimeout(limit)
    }
  }

  #slowest(): Download | undefined {
    const nowMs = performance.now()
    const paceOf = ({ bytesRead, startedMs }: Download) => bytesRead() / (nowMs - startedMs)
    return [...this.#running]
      .filter(({ startedMs }) => nowMs - startedMs >= this.#limits.graceMs)
      .reduce<Download | undefined>(
        (slowest, one) => (slowest && paceOf(slowest) <= paceOf(one) ? slowest : one),
        undefined,
      )
  }
}
