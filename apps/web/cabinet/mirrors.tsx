import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { sayIn } from '../lib/language.ts'
import { page } from '../lib/page.ts'
import { noAnswers } from '../lib/send.ts'
import { words } from './notices/words.en.ts'

/** Where the service is blocked under its name it may answer under another. */

const say = sayIn(words)
const patienceMs = 6000
const found = signal<string | undefined>(undefined)

/** Nothing is read of the answer: that there is one is enough. */
const answers = (origin: string): Promise<string> =>
  fetch(`${origin}/healthz`, {
    mode: 'no-cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(patienceMs),
  }).then(() => origin)

export const Mirrors = () => {
  const isNeeded = noAnswers.value > 0 && page.mirrors.length > 0
  useEffect(() => {
    if (!isNeeded) return
    const others = page.mirrors.filter((origin) => origin !== location.origin)
    Promise.any(others.map(answers)).then(
      (origin) => {
        found.value = origin
      },
      () => undefined,
    )
  }, [isNeeded])
  if (!isNeeded || found.value === undefined) return null
  return (
    <p class="notice" role="status">
      {say('mirror')}{' '}
      <a href={found.value + location.pathname} rel="noreferrer">
        {new URL(found.value).host}
      </a>
    </p>
  )
}
