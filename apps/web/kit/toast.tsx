import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** A word about what has just happened; it goes by itself. */

interface Told {
  readonly id: number
  readonly text: ComponentChildren
}

const told = signal<readonly Told[]>([])
let count = 0

/** Answers how it goes sooner. */
export const tell = (text: ComponentChildren, lastsMs = 5000): (() => void) => {
  const id = ++count
  const end = () => {
    told.value = told.value.filter((one) => one.id !== id)
  }
  told.value = [...told.value, { id, text }]
  setTimeout(end, lastsMs)
  return end
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {told.value.map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
)
