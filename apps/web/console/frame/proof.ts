import { signal } from '@preact/signals'
import { SallyportError } from '../../lib/send.ts'

/** What gives money or power away asks anew who is there. */

interface Asked {
  readonly proven: () => void
  readonly refused: () => void
}

/** Whoever is asked right now; several calls wait for one answer. */
export const asked = signal<readonly Asked[]>([])

const proof = (refusal: unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    asked.value = [...asked.value, { proven: resolve, refused: () => reject(refusal) }]
  })

export const settle = (isProven: boolean): void => {
  const waiting = asked.value
  asked.value = []
  for (const one of waiting) isProven ? one.proven() : one.refused()
}

export const provenFor = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof SallyportError && error.is('REAUTHENTICATION_REQUIRED'))) throw error
    await proof(error)
    return call()
  }
}
