import { useSignal } from '@preact/signals'
import type { Protocol } from '@sallyport/contract/shapes'
import { useEffect } from 'preact/hooks'
import { api, SallyportError } from '../../../lib/api.ts'
import { afterAnswer, type Servers } from './asking.ts'

/** Servers with room, location by location: of the chosen one at once, of the others one after another. */

/** Whoever walks through the list by keys passes many: the service is asked about the one they stop at. */
const pauseMs = 400

/** `shown` are those that somebody looks at; further ones are asked about when they are chosen. */
export const usePlaces = (chosen: number | undefined, shown: readonly number[], protocol: Protocol) => {
  const known = useSignal<ReadonlyMap<string, Servers>>(new Map())
  const nameOf = (id: number) => `${protocol}/${id}`
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const learn = (id: number, servers: Servers): void => {
      known.value = new Map(known.value).set(nameOf(id), servers)
    }
    const ask = async (queue: readonly number[]): Promise<void> => {
      const [id] = queue
      if (id === undefined) return
      const query = { location_id: id, protocol }
      const next = await api.listAvailableServers({ query }).then(
        (servers) => {
          learn(id, servers)
          return afterAnswer(queue, chosen)
        },
        (error) => {
          const retryAfterSeconds = error instanceof SallyportError ? error.retryAfterSeconds : undefined
          if (retryAfterSeconds === undefined && !known.value.get(nameOf(id))) learn(id, null)
          return afterAnswer(queue, chosen, { retryAfterSeconds })
        },
      )
      if (!isOver) timer = setTimeout(ask, next.waitMs, next.queue)
    }
    const unknown = shown.filter((id) => id !== chosen && !known.value.get(nameOf(id)))
    if (chosen !== undefined) timer = setTimeout(ask, pauseMs, [chosen, ...unknown])
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [chosen, protocol, shown.join()])
  return (id: number): Servers => known.value.get(nameOf(id))
}
