import { batch, type ReadonlySignal, signal } from '@preact/signals'

/** What the customer wants is shown at once and sent when they have come to rest; it is never thrown away by itself. */

export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed'

interface SaverOptions<T> {
  /** What the service has. */
  readonly start: readonly T[]
  /** What was wanted on an earlier visit, and never saved. */
  readonly unsaved: readonly T[] | undefined
  /** Gives what the service has then. */
  readonly send: (wanted: readonly T[]) => Promise<readonly T[]>
  /** Kept until it is saved; undefined when there is nothing to keep. */
  readonly remember: (wanted: readonly T[] | undefined) => void
  readonly isSame: (a: readonly T[], b: readonly T[]) => boolean
  readonly restMs?: number
}

export interface Saver<T> {
  readonly wanted: ReadonlySignal<readonly T[]>
  readonly state: ReadonlySignal<SaveState>
  /** Of the last try; undefined too where an earlier visit has left something unsaved. */
  readonly error: ReadonlySignal<unknown>
  change(wanted: readonly T[]): void
  /** Without waiting any longer. */
  save(): Promise<void>
  /** Back to what the service has. */
  drop(): void
  /** The service was read again. */
  adopt(known: readonly T[]): void
}

/** Three changes in two seconds are let through. */
const usualRestMs = 800

export const saverOf = <T>(options: SaverOptions<T>): Saver<T> => {
  const { start, unsaved, send, remember, isSame, restMs = usualRestMs } = options
  const isLeft = unsaved !== undefined && !isSame(unsaved, start)
  const wanted = signal(isLeft ? unsaved : start)
  const state = signal<SaveState>(isLeft ? 'failed' : 'saved')
  const error = signal<unknown>(undefined)
  let known = start
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false

  const settle = (list: readonly T[]): void => {
    clearTimeout(timer)
    remember(undefined)
    batch(() => {
      wanted.value = list
      state.value = 'saved'
      error.value = undefined
    })
  }

  const fail = (reason: unknown): void => {
    batch(() => {
      error.value = reason
      state.value = 'failed'
    })
  }

  /** One request at a time: what changes meanwhile goes with the next. */
  const save = async (): Promise<void> => {
    clearTimeout(timer)
    if (isBusy || state.value === 'saved') return
    isBusy = true
    state.value = 'saving'
    const sent = wanted.value
    let reason: unknown
    const answer = await send(sent).catch((failure: unknown) => {
      reason = failure
      return undefined
    })
    isBusy = false
    if (answer !== undefined) known = answer
    if (wanted.value !== sent) await save()
    else if (answer === undefined) fail(reason)
    else settle(answer)
  }

  return {
    wanted,
    state,
    error,
    save,
    change: (list) => {
      remember(list)
      clearTimeout(timer)
      batch(() => {
        wanted.value = list
        error.value = undefined
        // A request on its way is followed by another one.
        if (!isBusy) state.value = 'waiting'
      })
      if (!isBusy) timer = setTimeout(() => void save(), restMs)
    },
    drop: () => settle(known),
    adopt: (list) => {
      known = list
      if (isBusy) return
      if (state.value === 'saved' || isSame(wanted.value, list)) settle(list)
    },
  }
}
