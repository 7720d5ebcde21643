import type { ComponentChildren } from 'preact'
import { isInTelegram, openOutside } from '../../../lib/outside.ts'

interface OutProps {
  readonly href: string
  readonly kind?: 'p'
  readonly children: ComponentChildren
}

/** Leads to another site. Inside Telegram it is Telegram that opens it. */
export const Out = ({ href, kind, children }: OutProps) => (
  <a
    class={kind ? `button ${kind}` : 'button'}
    href={href}
    target="_blank"
    rel="noopener noreferrer"
    onClick={(event) => {
      if (!isInTelegram()) return
      event.preventDefault()
      openOutside(href)
    }}
  >
    {children}
  </a>
)
