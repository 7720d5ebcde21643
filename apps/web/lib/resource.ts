import { batch, type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { keep, kept } from './kept.ts'
import { now } from './page.ts'
import { SallyportError } from './send.ts'
import { isSignedIn } from './session.ts'

/** Something that is read from the service, and everything a screen has to know about how that went. */
export interface Resource<T> {
  readonly data: Signal<T | undefined>
  readonly error: Signal<unknown>
  readonly isLoading: Signal<boolean>
  /** When what is shown was read, in seconds, where it was not on this visit. */
  readonly keptAt: Signal<number | undefined>
  /** Reads it anew; what is shown stays until the answer is there. */
  reload(): Promise<void>
  /** What a write answered is shown without reading. */
  set(value: T): void
}

interface Options {
  /** Shown on the next visit when no answer comes. Secrets of others' never belong here. */
  readonly keep?: boolean
}

interface Copy<T> {
  readonly at: number
  readonly data: T
}

const known = new Map<string, Resource<unknown>>()

/** After writes that change what other screens have read. */
export const forgetRead = (...names: readonly string[]): void => {
  for (const name of known.keys()) {
    if (names.length === 0 || names.some((one) => name === one || name.startsWith(`${one}/`)))
      known.delete(name)
  }
}

let generation = 0

/** Whoever comes next reads for themselves, and what is still on its way is nobody's. */
isSignedIn.subscribe(() => {
  generation++
  forgetRead()
})

const create = <T>(name: string, read: () => Promise<T>, options: Options): Resource<T> => {
  const data = signal<T | undefined>(undefined)
  const error = signal<unknown>(undefined)
  const isLoading = signal(true)
  const keptAt = signal<number | undefined>(undefined)
  let running: Promise<void> | undefined

  const set = (value: T): void => {
    batch(() => {
      data.value = value
      error.value = undefined
      keptAt.value = undefined
      isLoading.value = false
    })
    if (options.keep) keep(`read:${name}`, { at: now(), data: value })
  }

  /** A refusal is an answer; only where there is none the copy is better than nothing. */
  const fail = (reason: unknown): void => {
    const copy =
      options.keep && !(reason instanceof SallyportError) ? kept<Copy<T>>(`read:${name}`) : undefined
    batch(() => {
      if (copy && data.value === undefined) {
        data.value = copy.data
        keptAt.value = copy.at
      }
      error.value = reason
      isLoading.value = false
    })
  }

  const reload = (): Promise<void> => {
    isLoading.value = true
    const before = generation
    running ??= read()
      .then((value) => {
        if (before === generation) set(value)
      }, fail)
      .finally(() => {
        running = undefined
      })
    return running
  }
  return { data, error, isLoading, keptAt, reload, set }
}

/** The same name is the same resource, on whatever screens; it is read again when a screen opens that shows it. */
export const resource = <T>(name: string, read: () => Promise<T>, options: Options = {}): Resource<T> => {
  const found = known.get(name) as Resource<T> | undefined
  if (found) return found
  const made = create(name, read, options)
  known.set(name, made as Resource<unknown>)
  return made
}

export const useResource = <T>(name: string, read: () => Promise<T>, options: Options = {}): Resource<T> => {
  const found = resource(name, read, options)
  useEffect(() => {
    void found.reload()
  }, [found])
  return found
}
