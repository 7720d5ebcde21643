import { useSignal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import { Choice, type Choosable } from '../../kit/choice.tsx'

interface SomeProps<V extends string | number> {
  readonly legend: string
  readonly options: readonly Choosable<V>[]
  readonly value: V | undefined
  readonly onChoose: (value: V) => void
  readonly isFirst: (value: V, at: number) => boolean
  /** On the button that shows the rest. */
  readonly more: string
}

/** One of many: the first and what is chosen, and the rest on asking. */
export const Some = <V extends string | number>({ isFirst, more, ...choice }: SomeProps<V>) => {
  const { options, value } = choice
  const isAll = useSignal(false)
  const [came] = useState(value)
  const part = useRef<HTMLDivElement>(null)
  const hidden = options.filter(
    (one, at) => !isAll.value && one.value !== value && one.value !== came && !isFirst(one.value, at),
  )
  // The button goes; whoever pressed it by a key goes on where the new ones begin.
  const open = () => {
    const at = options.findIndex(({ value }) => value === hidden[0]?.value)
    isAll.value = true
    requestAnimationFrame(() => part.current?.querySelectorAll('input')[at]?.focus())
  }
  return (
    <div ref={part} class="some">
      <Choice {...choice} options={options.filter((one) => !hidden.includes(one))} />
      {hidden.length > 0 && (
        <button type="button" onClick={open}>
          {more}
        </button>
      )}
    </div>
  )
}
