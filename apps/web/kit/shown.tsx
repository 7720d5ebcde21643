import type { ComponentChildren } from 'preact'
import { dateTime } from '../lib/format.ts'
import type { Resource } from '../lib/resource.ts'
import { Problem } from './problem.tsx'
import { say } from './say.ts'

/** Grey lines where something will stand. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="loading" role="status">
    <span class="hidden">{say('loading')}</span>
    {Array.from({ length: lines }, (_, at) => (
      <i key={at} />
    ))}
  </div>
)

interface EmptyProps {
  readonly title: string
  readonly children?: ComponentChildren
}

/** Nothing is here yet: what it would be, and how to get one. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p>{title}</p>
    {children}
  </div>
)

interface ShownProps<T> {
  readonly of: Resource<T>
  readonly lines?: number
  /** Of a screen that is called by what it shows: the heading until that is there. */
  readonly heading?: string
  readonly children: (data: T) => ComponentChildren
}

/** Something that was read, in every state it can be in: on its way, failed, kept from the last visit, or there. */
export const Shown = <T,>({ of, lines, heading, children }: ShownProps<T>) => {
  const data = of.data.value
  const error = of.error.value
  if (data === undefined) {
    const isFailed = error !== undefined
    return (
      <>
        {heading && <h1 class={isFailed ? '' : 'hidden'}>{heading}</h1>}
        {isFailed ? (
          <Problem error={error} onRetry={() => void of.reload()} />
        ) : (
          <Loading lines={lines ?? 3} />
        )}
      </>
    )
  }
  const at = of.keptAt.value
  return (
    <>
      {at !== undefined && (
        <p class="notice" role="status">
          {say('keptAt', { at: dateTime(at) })}{' '}
          <button type="button" class="link" onClick={() => void of.reload()}>
            {say('retry')}
          </button>
        </p>
      )}
      {error !== undefined && at === undefined && <Problem error={error} onRetry={() => void of.reload()} />}
      {children(data)}
    </>
  )
}
