import { statfs } from 'node:fs/promises'
import { connect } from 'node:tls'
import { firstCertificateEnd } from '../../core/seeing/certificates.ts'
import type { Db } from '../../db/client.ts'

/** What is asked of the machine, of files and of the network for /metrics, each as often as it can have changed. */

/** Keeps what was found for a while. Who asks has the last one at once; who is first waits. What fails is unknown. */
export const kept = <T>(
  read: () => Promise<T | undefined>,
  keepMs: number,
): (() => Promise<T | undefined>) => {
  let readAtMs = Number.NEGATIVE_INFINITY
  let last: Promise<T | undefined> | undefined
  return () => {
    if (!last || performance.now() - readAtMs >= keepMs) {
      readAtMs = performance.now()
      last = read().catch(() => undefined)
    }
    return last
  }
}

export interface Disk {
  readonly size: number
  readonly free: number
}

const diskOf = async (folder: string): Promise<Disk> => {
  const { bsize, blocks, bavail } = await statfs(folder)
  return { size: bsize * blocks, free: bsize * bavail }
}

const handshakeMs = 3000

/** As customers are shown it. Whether it is a good one does not matter here. */
const shownCertificateEnd = ({ hostname, port }: URL): Promise<number> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(/[a-z]/i.test(host) && !host.includes(':') && { servername: host }),
      rejectUnauthorized: false,
      timeout: handshakeMs,
    })
    const give = (): void => {
      const end = Date.parse(socket.getPeerCertificate().valid_to)
      socket.destroy()
      if (Number.isFinite(end)) resolve(end / 1000)
      else reject(new Error('no certificate'))
    }
    socket.once('secureConnect', give)
    socket.once('timeout', () => socket.destroy(new Error('no handshake')))
    socket.once('error', reject)
  })

export interface MachineFigures {
  readonly disk: Disk | undefined
  /** Unix seconds. */
  readonly backupEnd: number | undefined
  readonly certificateEnds: readonly (readonly [string, number])[]
}

export interface Watched {
  readonly dataDir: string
  readonly publicUrl: string | undefined
  /** When the last backup that succeeded ended. */
  readonly lastBackupAt: () => number | null | undefined
}

export const machineFigures = (
  { dataDir, publicUrl, lastBackupAt }: Watched,
  db: Db,
): (() => Promise<MachineFigures>) => {
  const disk = kept(() => diskOf(dataDir), 15_000)
  const ofServers = kept(() => firstCertificateEnd(db), 600_000)
  const shown = publicUrl?.startsWith('https:') ? new URL(publicUrl) : undefined
  const ofAddress = kept(async () => shown && shownCertificateEnd(shown), 3_600_000)
  return async () => {
    const [servers, address] = await Promise.all([ofServers(), ofAddress()])
    const ends = [['servers', servers] as const, ['public_url', address] as const]
    return {
      disk: await disk(),
      backupEnd: lastBackupAt() ?? undefined,
      certificateEnds: ends.flatMap(([of, end]) => (end === undefined ? [] : [[of, end] as const])),
    }
  }
}
