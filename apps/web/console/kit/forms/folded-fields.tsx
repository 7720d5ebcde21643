import type { ComponentChildren } from 'preact'
import { useProblems } from '../../../kit/form.tsx'

interface FoldedFieldsProps {
  readonly title: string
  /** What is inside, as the operation calls it: it opens by itself where one of these is refused. */
  readonly names: readonly string[]
  readonly children: ComponentChildren
}

/** Fields of a form that few need. */
export const FoldedFields = ({ title, names, children }: FoldedFieldsProps) => {
  const isRefused = names.map((name) => useProblems(name).length > 0).includes(true)
  return (
    <details class="fold" open={isRefused}>
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  )
}
