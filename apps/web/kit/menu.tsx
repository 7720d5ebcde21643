import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { say } from './parts/say.ts'

export interface MenuItem {
  readonly text: string
  readonly run: () => void
  readonly isDanger?: boolean
}

interface MenuProps {
  readonly items: readonly MenuItem[]
  readonly label?: string
  readonly children?: ComponentChildren
}

/** A list of things to do, over the browser's popover; where that cannot stand beside its button it is a sheet below. */
export const Menu = ({ items, label = say('more'), children = '⋯' }: MenuProps) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const choose = (run: () => void) => {
    list.current?.hidePopover()
    run()
  }
  return (
    <span class="menu">
      <button type="button" class="icon" aria-label={label} popovertarget={id}>
        {children}
      </button>
      <div id={id} ref={list} popover="auto" class="sheet">
        {items.map(({ text, run, isDanger }) => (
          <button
            key={text}
            type="button"
            class={isDanger ? 'danger' : undefined}
            onClick={() => choose(run)}
          >
            {text}
          </button>
        ))}
      </div>
    </span>
  )
}
