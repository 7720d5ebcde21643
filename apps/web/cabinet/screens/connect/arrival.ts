import { useSignal } from '@preact/signals'
import type { Platform } from '@sallyport/domain/delivery/apps/app'
import { useCallback, useEffect } from 'preact/hooks'
import { keep, kept } from '../../../lib/kept.ts'
import { usePolling } from '../../../lib/polling.ts'
import type { Resource } from '../../../lib/resource.ts'
import { arrivedSince, type Before, beforeOf, type Seen } from './device.ts'

/** Waits until the app has fetched the subscription. */

const everySeconds = 4
const patience = 600

interface Begun {
  readonly of: string
  readonly at: number
  readonly before: Before
}

const begunName = 'connecting'
const clock = (): number => Date.now() / 1000

/** Phones forget a page that is left for an app, so that what was there before is kept for as long as is waited. */
const begunBefore = (of: string): Before | undefined => {
  const begun = kept<Begun>(begunName)
  return begun?.of === of && Math.abs(clock() - begun.at) < patience ? begun.before : undefined
}

export interface Arrival<D> {
  readonly device: D | undefined
  readonly isWaiting: boolean
  readonly again: () => void
}

export const useArrival = <D extends Seen>(
  of: string,
  platform: Platform,
  devices: Resource<{ readonly devices: readonly D[] }>,
): Arrival<D> => {
  const before = useSignal<Before | undefined>(begunBefore(of))
  const isTired = useSignal(false)
  /** The first answer of this visit is what there was before. */
  const look = useCallback(async () => {
    await devices.reload()
    if (before.value !== undefined || devices.error.value !== undefined) return
    before.value = beforeOf(devices.data.value?.devices ?? [])
    keep(begunName, { of, at: clock(), before: before.value })
  }, [devices, before, of])
  const seen = devices.data.value?.devices
  const device = seen && before.value && arrivedSince(before.value, seen, platform)
  const isDone = device !== undefined || isTired.value
  usePolling(look, everySeconds, isDone)
  useEffect(() => {
    if (isDone) return
    void look()
    const comeBack = () => {
      if (document.visibilityState === 'visible') void look()
    }
    document.addEventListener('visibilitychange', comeBack)
    const tired = setTimeout(() => {
      isTired.value = true
    }, patience * 1000)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      clearTimeout(tired)
    }
  }, [look, isDone, isTired])
  const again = () => {
    isTired.value = false
  }
  return { device, isWaiting: !isDone, again }
}
