import type { Served } from '../common/reconcile.ts'
import { AmneziawgEngine } from '../engines/amneziawg/amneziawg.ts'

/** The engine in a process of its own, because a process is in one network namespace. */

export interface HostRequest {
  readonly number: number
  readonly method: 'health' | 'apply' | 'traffic' | 'pids' | 'stop'
  readonly state?: Served
}

export interface HostAnswer {
  readonly number: number
  readonly result?: unknown
  readonly error?: string
}

const [binary = '', version = '', directory = ''] = process.argv.slice(2)
let engine: AmneziawgEngine | null = null

const answer = async ({ method, state }: HostRequest): Promise<unknown> => {
  engine ??= await AmneziawgEngine.create({
    binary,
    version,
    directory,
    allowPrivateTargets: false,
    log: () => {},
  })
  if (method === 'apply' && state) return engine.apply(state)
  if (method === 'pids') return Object.fromEntries(engine.pids)
  if (method === 'health') return engine.health()
  return method === 'traffic' ? engine.traffic() : engine.stop()
}

process.on('message', (request: HostRequest) => {
  const { number } = request
  answer(request).then(
    (result) => process.send?.({ number, result } satisfies HostAnswer),
    (error) => process.send?.({ number, error: String(error) } satisfies HostAnswer),
  )
})
process.on('disconnect', () => process.exit(0))
