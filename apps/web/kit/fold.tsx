import type { ComponentChildren } from 'preact'

/** What is opened when it is wanted, and facts one a line. */

interface FoldProps {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
  readonly isOpen?: boolean
}

export const Fold = ({ title, children, isOpen = false }: FoldProps) => (
  <details class="fold" open={isOpen}>
    <summary>{title}</summary>
    <div>{children}</div>
  </details>
)

/** Names with values, one a line. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
