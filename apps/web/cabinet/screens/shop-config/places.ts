import { useSignal } from '@preact/signals'
import type { Protocol } from '@sallyport/contract/shapes'
import { useEffect } from 'preact/hooks'
import { api, SallyportError } from '../../../lib/api.ts'

/** Servers with room in the location that is chosen. */

export interface Server {
  readonly id: number
  readonly available_slots: number
}

/** Whoever walks through the list by keys passes many: the service is asked about the one they stop at. */
const pauseMs = 400

/** Undefined while it is not known; the purchase then goes ahead, and the service says. */
export const placesOf = (servers: readonly Server[] | undefined): number | undefined =>
  servers?.reduce((sum, { available_slots: slots }) => sum + slots, 0)

export const usePlaces = (locationId: number | undefined, protocol: Protocol) => {
  const data = useSignal<readonly Server[] | undefined>(undefined)
  useEffect(() => {
    if (locationId === undefined) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    data.value = undefined
    const ask = async () => {
      try {
        const servers = await api.listAvailableServers({ query: { location_id: locationId, protocol } })
        if (!isOver) data.value = servers
      } catch (error) {
        const wait = error instanceof SallyportError ? error.retryAfterSeconds : undefined
        if (!isOver && wait !== undefined) timer = setTimeout(ask, wait * 1000)
      }
    }
    timer = setTimeout(ask, pauseMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [locationId, protocol, data])
  return { data }
}
