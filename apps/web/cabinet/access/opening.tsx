import { useSignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../kit/problem.tsx'
import { Loading } from '../../kit/shown.tsx'
import { NoAnswer } from '../../lib/send.ts'

interface OpeningProps {
  readonly title: ComponentChildren
  /** An address that ends with `#name` opens it and leads to it. */
  readonly name?: string
  readonly isOpen?: boolean
  readonly children: () => ComponentChildren
}

const restMs = 1000

/** What is inside comes a little later, and only then there is room to scroll. */
const scrollTo = (fold: Element): void => {
  const growing = new ResizeObserver(() => fold.scrollIntoView())
  growing.observe(fold)
  setTimeout(() => growing.disconnect(), restMs)
}

export const isMeant = (name: string | undefined): boolean =>
  name !== undefined && location.hash === `#${name}`

/** A fold whose inside is made, and reads what it needs, when it is first opened. */
export const Opening = ({ title, name, isOpen = false, children }: OpeningProps) => {
  const isMade = useSignal(isOpen)
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (name === undefined) return
    const lead = () => {
      const summary = fold.current?.querySelector('summary')
      if (!fold.current || !summary || !isMeant(name)) return
      fold.current.open = true
      scrollTo(fold.current)
      summary.focus({ preventScroll: true })
    }
    lead()
    addEventListener('hashchange', lead)
    return () => removeEventListener('hashchange', lead)
  }, [name])
  return (
    <details
      ref={fold}
      class="fold"
      open={isOpen}
      onToggle={(event) => {
        if (event.currentTarget.open) isMade.value = true
      }}
    >
      <summary>{title}</summary>
      {/* Browsers open a fold when its inside is led to. */}
      <div id={name}>{isMade.value && children()}</div>
    </details>
  )
}

type Load<P> = () => Promise<{ readonly default: ComponentType<P> }>

/** A part in a file of its own, which comes when it is needed; when it does not come, it can be asked for again. */
export const Loaded = <P extends object>({ load, props }: { readonly load: Load<P>; readonly props: P }) => {
  const part = useSignal<{ readonly Part: ComponentType<P> } | undefined>(undefined)
  const hasFailed = useSignal(false)
  const start = async () => {
    hasFailed.value = false
    try {
      part.value = { Part: (await load()).default }
    } catch {
      hasFailed.value = true
    }
  }
  useEffect(() => {
    void start()
  }, [])
  if (part.value) return <part.value.Part {...props} />
  return hasFailed.value ? <Problem error={new NoAnswer()} onRetry={() => void start()} /> : <Loading />
}
