import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** A part of a screen that comes in a file of its own, while the rest is used already. */
export interface Part<T> {
  readonly module: T | undefined
  readonly error: unknown
  again(): void
}

export const usePart = <T>(load: () => Promise<T>): Part<T> => {
  const module = useSignal<T | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  const again = (): void => {
    error.value = undefined
    load().then(
      (loaded) => {
        module.value = loaded
      },
      (reason) => {
        error.value = reason
      },
    )
  }
  useEffect(again, [])
  return { module: module.value, error: error.value, again }
}
