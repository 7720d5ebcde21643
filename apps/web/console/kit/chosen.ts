import { type Signal, useSignal } from '@preact/signals'

/** What a dialog of a list is about. It stands beside the table, whose look would otherwise be the dialog's as well. */

export interface Chosen<T> {
  readonly row: T | undefined
  readonly isOpen: Signal<boolean>
  readonly choose: (row: T) => void
}

export const useChosen = <T>(): Chosen<T> => {
  const row = useSignal<T | undefined>(undefined)
  const isOpen = useSignal(false)
  const choose = (one: T) => {
    row.value = one
    isOpen.value = true
  }
  return { row: row.value, isOpen, choose }
}
