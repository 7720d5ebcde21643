import { signal } from '@preact/signals'

/** A word about what has just happened; it goes by itself. */

interface Told {
  readonly id: number
  readonly text: string
}

const told = signal<readonly Told[]>([])
let count = 0

export const tell = (text: string): void => {
  count++
  const one = { id: count, text }
  told.value = [...told.value, one]
  setTimeout(() => {
    told.value = told.value.filter(({ id }) => id !== one.id)
  }, 5000)
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {told.value.map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
)
