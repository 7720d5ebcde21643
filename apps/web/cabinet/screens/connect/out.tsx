import type { ComponentChildren } from 'preact'

interface OutProps {
  readonly href: string
  readonly kind?: 'p'
  readonly children: ComponentChildren
}

/** Leads to another site. Inside Telegram every such link is taken over by what listens there. */
export const Out = ({ href, kind, children }: OutProps) => (
  <a class={kind ? `button ${kind}` : 'button'} href={href} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
)
