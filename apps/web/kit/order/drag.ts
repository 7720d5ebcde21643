import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { placeFor } from './places.ts'

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

interface Pull {
  readonly handle: HTMLElement
  readonly pointerId: number
  /** Where the pointer is on the screen. */
  readonly y: number
  readonly onMove: (y: number) => void
  readonly onEnd: (isDropped: boolean) => void
}

/** Follows a pointer that was pressed until it is let go of. */
const pull = ({ handle, pointerId, y: begunAt, onMove, onEnd }: Pull): void => {
  const listening = new AbortController()
  const { signal } = listening
  let y = begunAt
  let frame = 0
  const roll = () => {
    // Only the way it is dragged: it may have begun at an end of the screen.
    const rolled = rollFor(y)
    if (rolled !== 0 && rolled * (y - begunAt) > 0) {
      scrollBy(0, rolled)
      onMove(y)
    }
    frame = requestAnimationFrame(roll)
  }
  const end = (isDropped: boolean) => {
    listening.abort()
    cancelAnimationFrame(frame)
    onEnd(isDropped)
  }
  const move = (event: PointerEvent) => {
    y = event.clientY
    onMove(y)
  }
  handle.setPointerCapture(pointerId)
  handle.addEventListener('pointermove', move, { signal })
  handle.addEventListener('pointerup', () => end(true), { signal })
  handle.addEventListener('pointercancel', () => end(false), { signal })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
  frame = requestAnimationFrame(roll)
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
    const middles = boxes.map(({ top, height }) => top + height / 2 + scrollY)
    const begunAt = event.clientY + scrollY
    pull({
      handle: event.currentTarget as HTMLElement,
      pointerId: event.pointerId,
      y: event.clientY,
      onMove: (y) => {
        const by = y + scrollY - begunAt
        const to = placeFor(middles, from, (middles[from] ?? 0) + by)
        dragged.value = { from, to, by, height: own.height }
      },
      onEnd: (isDropped) => {
        const last = dragged.value
        dragged.value = undefined
        if (isDropped && last && last.to !== from) drop(from, last.to)
      },
    })
  }
  return { dragged, start }
}
