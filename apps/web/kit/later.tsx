import { type Signal, signal, useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { NoAnswer } from '../lib/send.ts'
import { Problem } from './problem.tsx'
import { Loading } from './shown.tsx'

/** A part of a screen in a file of its own, loaded when it is first shown. */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  const part: Signal<ComponentType<P> | undefined> = signal(undefined)
  const error = signal<unknown>(undefined)
  const start = (): void => {
    error.value = undefined
    load().then(
      (loaded) => {
        part.value = loaded
      },
      (reason) => {
        error.value = new NoAnswer('a file did not come', { cause: reason })
      },
    )
  }
  return (props: P) => {
    useEffect(() => {
      if (!part.value) start()
    }, [])
    const Part = part.value
    if (Part) return <Part {...props} />
    return error.value === undefined ? <Loading lines={1} /> : <Problem error={error.value} onRetry={start} />
  }
}

interface FoldedProps {
  readonly title: ComponentChildren
  readonly children: () => ComponentChildren
  readonly isOpen?: boolean
  /** The title is a heading of the page. */
  readonly isTitle?: boolean
  /** An address that ends in # and this leads here, and finds it open. */
  readonly place?: string
}

/** What is inside is not asked for before somebody looks. */
export const FoldedPart = ({ title, children, isOpen = false, isTitle = false, place }: FoldedProps) => {
  const self = useRef<HTMLDetailsElement>(null)
  const isNamed = useMemo(() => place !== undefined && location.hash === `#${place}`, [])
  const isFirst = isOpen || isNamed
  const isSeen = useSignal(isFirst)
  useEffect(() => {
    if (isNamed) self.current?.scrollIntoView()
  }, [])
  return (
    <details
      ref={self}
      class="fold"
      open={isFirst}
      onToggle={(event) => {
        if (event.currentTarget.open) isSeen.value = true
      }}
    >
      <summary>{isTitle ? <h2>{title}</h2> : title}</summary>
      <div>{isSeen.value && children()}</div>
    </details>
  )
}
