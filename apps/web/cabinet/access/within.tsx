import type { ComponentChildren } from 'preact'
import { Shown } from '../../kit/shown.tsx'
import type { Resource } from '../../lib/resource.ts'

interface WithinProps<T> {
  readonly of: Resource<T>
  readonly lines?: number
  readonly children: (data: T) => ComponentChildren
}

/** A part of a screen that has said already, above, that there is no network and how old everything is. */
export const Within = <T,>(props: WithinProps<T>) => {
  const data = props.of.data.value
  return data === undefined ? <Shown {...props} /> : props.children(data)
}
