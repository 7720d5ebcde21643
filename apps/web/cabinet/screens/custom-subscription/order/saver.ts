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

/** What is shown of it, which knows nothing of requests. */
const shownOf = <T>({ start, unsaved, remember, isSame }: SaverOptions<T>) => {
  const isLeft = unsaved !== undefined && !isSame(unsaved, start)
  const wanted = signal(isLeft ? unsaved : start)
  const state = signal<SaveState>(isLeft ? 'failed' : 'saved')
  const error = signal<unknown>(undefined)
  const show = (list: readonly T[], next: SaveState, reason?: unknown): void =>
    batch(() => {
      wanted.value = list
      state.value = next
      error.value = reason
    })
  return {
    wanted,
    state,
    error,
    want: (list: readonly T[]): void => {
      remember(list)
      show(list, 'waiting')
    },
    settle: (list: readonly T[]): void => {
      remember(undefined)
      show(list, 'saved')
    },
    fail: (reason: unknown): void => show(wanted.value, 'failed', reason),
  }
}

const outcome = <T>(sending: Promise<T>): Promise<{ readonly answer?: T; readonly reason?: unknown }> =>
  sending.then(
    (answer) => ({ answer }),
    (reason: unknown) => ({ reason }),
  )

export const saverOf = <T>(options: SaverOptions<T>): Saver<T> => {
  const { start, send, isSame, restMs = usualRestMs } = options
  const { wanted, state, error, want, settle, fail } = shownOf(options)
  let known = start
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  /** The customer has come to rest while a request was on its way. */
  let isDue = false

  const end = (list: readonly T[]): void => {
    clearTimeout(timer)
    settle(list)
  }

  /** One request at a time: what changes meanwhile goes with the next. */
  const save = async (): Promise<void> => {
    clearTimeout(timer)
    isDue = isBusy
    if (isBusy || state.value === 'saved') return
    isBusy = true
    state.value = 'saving'
    const sent = wanted.value
    const { answer, reason } = await outcome(send(sent))
    isBusy = false
    if (answer !== undefined) known = answer
    if (wanted.value !== sent) {
      state.value = 'waiting'
      if (isDue) await save()
    } else if (answer === undefined) fail(reason)
    else end(answer)
  }

  return {
    wanted,
    state,
    error,
    save,
    change: (list) => {
      clearTimeout(timer)
      want(list)
      isDue = false
      timer = setTimeout(() => void save(), restMs)
    },
    drop: () => end(known),
    adopt: (list) => {
      known = list
      if (!isBusy && (state.value === 'saved' || isSame(wanted.value, list))) end(list)
    },
  }
}
