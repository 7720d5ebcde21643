import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

/** Runs the embedded database off the main thread, so that a long query never stops the event loop. */

export type WorkerRequest =
  | { readonly id: number; readonly kind: 'query'; readonly sql: string; readonly params: readonly unknown[] }
  | { readonly id: number; readonly kind: 'exec'; readonly sql: string }
  | { readonly id: number; readonly kind: 'listen'; readonly channel: string }
  | { readonly id: number; readonly kind: 'close' }

export type WorkerReply =
  | { readonly id: number; readonly rows: unknown[]; readonly affected: number }
  | { readonly id: number; readonly error: Record<string, unknown> }
  | { readonly notification: string }

if (!parentPort) throw new Error('pglite-worker.ts runs as a worker thread only')
const port = parentPort

const errorFields = ['message', 'code', 'constraint', 'table', 'column', 'detail', 'where'] as const

const plainError = (error: unknown): Record<string, unknown> => {
  const source = error as Record<string, unknown>
  return Object.fromEntries(errorFields.filter((field) => field in source).map((f) => [f, source[f]]))
}

const pglite = new PGlite({ dataDir: (workerData as { dataDir: string }).dataDir })

const handle = async (request: WorkerRequest): Promise<WorkerReply> => {
  switch (request.kind) {
    case 'query': {
      const result = await pglite.query(request.sql, [...request.params])
      return { id: request.id, rows: result.rows, affected: result.affectedRows ?? 0 }
    }
    case 'exec':
      await pglite.exec(request.sql)
      return { id: request.id, rows: [], affected: 0 }
    case 'listen':
      await pglite.listen(request.channel, (payload) =>
        port.postMessage({ notification: payload } satisfies WorkerReply),
      )
      return { id: request.id, rows: [], affected: 0 }
    case 'close':
      await pglite.close()
      return { id: request.id, rows: [], affected: 0 }
  }
}

port.on('message', (request: WorkerRequest) => {
  handle(request)
    .catch((error: unknown): WorkerReply => ({ id: request.id, error: plainError(error) }))
    .then((reply) => port.postMessage(reply))
})
