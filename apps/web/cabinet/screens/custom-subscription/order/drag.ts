import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { placeFor } from '../../../subscription-items/items.ts'

/** Rows that are dragged by a handle, with a finger or a mouse. */

export interface Dragged {
  readonly from: number
  readonly to: number
  /** How far it is from where it was, and how high it is. */
  readonly by: number
  readonly height: number
}

/** So near to an end of the screen the page rolls. */
const [nearTop, nearBottom, step] = [90, 130, 9]

const rollFor = (y: number): number => {
  if (y < nearTop) return -step
  return y > innerHeight - nearBottom ? step : 0
}

/** Where the others stand aside for it. */
export const shiftOf = (dragged: Dragged | undefined, at: number): number => {
  if (!dragged) return 0
  const { from, to, by, height } = dragged
  if (at === from) return by
  if (at > from && at <= to) return -height
  return at < from && at >= to ? height : 0
}

export const useDrag = (
  list: RefObject<HTMLElement | null>,
  drop: (from: number, to: number) => void,
): {
  readonly dragged: ReadonlySignal<Dragged | undefined>
  start(from: number, event: PointerEvent): void
} => {
  const dragged = useSignal<Dragged | undefined>(undefined)
  const start = (from: number, event: PointerEvent) => {
    const boxes = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    const own = boxes[from]
    if (event.button !== 0 || !own) return
    const handle = event.currentTarget as HTMLElement
    handle.setPointerCapture(event.pointerId)
    const middles = boxes.map(({ top, height }) => top + height / 2 + scrollY)
    const begunAt = event.clientY + scrollY
    const listening = new AbortController()
    let y = event.clientY
    let frame = 0
    const follow = () => {
      const by = y + scrollY - begunAt
      const to = placeFor(middles, from, (middles[from] ?? 0) + by)
      dragged.value = { from, to, by, height: own.height }
    }
    const roll = () => {
      const rolled = dragged.value ? rollFor(y) : 0
      if (rolled !== 0) {
        scrollBy(0, rolled)
        follow()
      }
      frame = requestAnimationFrame(roll)
    }
    const end = (isDropped: boolean) => {
      const last = dragged.value
      listening.abort()
      cancelAnimationFrame(frame)
      dragged.value = undefined
      if (isDropped && last && last.to !== from) drop(from, last.to)
    }
    const { signal } = listening
    handle.addEventListener(
      'pointermove',
      (moved) => {
        y = moved.clientY
        follow()
      },
      { signal },
    )
    handle.addEventListener('pointerup', () => end(true), { signal })
    handle.addEventListener('pointercancel', () => end(false), { signal })
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
    frame = requestAnimationFrame(roll)
  }
  return { dragged, start }
}
