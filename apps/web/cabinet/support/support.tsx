import { sayIn } from '../../lib/language.ts'
import { page } from '../../lib/page.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface SupportProps {
  readonly isButton?: boolean
  readonly url?: string | null
}

/** Leads to those who can help; nothing where the operator has named no address for it. */
export const Support = ({ isButton = false, url = page.supportUrl }: SupportProps) =>
  url === null ? null : (
    <a class={isButton ? 'button' : undefined} href={url} target="_blank" rel="noopener noreferrer">
      {say('support')}
    </a>
  )
