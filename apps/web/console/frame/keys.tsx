import { signal } from '@preact/signals'
import { Dialog } from '../../kit/dialog.tsx'
import { sayIn } from '../../lib/language.ts'
import { route } from '../../lib/router.ts'
import { seenSections } from './sections.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is typed without the mouse: / to search, g and a letter to go, ? to see all of these. */

const isHelp = signal(false)

export const searchId = 'search'

/** What is written into a field is no command. */
const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** How long `g` waits for its letter. */
const patienceMs = 1500

const go = (key: string): void => {
  const links = seenSections().flatMap((section) => section.links)
  const found = links.find((link) => link.key === key)
  if (found) route(found.path)
}

export const listenToKeys = (): void => {
  let goingSince = Number.NEGATIVE_INFINITY
  addEventListener('keydown', (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (isWriting(event.target) || document.querySelector('dialog[open]')) return
    const isGoing = event.timeStamp - goingSince < patienceMs
    goingSince = Number.NEGATIVE_INFINITY
    if (isGoing) return go(event.key)
    if (event.key === 'g') {
      goingSince = event.timeStamp
    } else if (event.key === '?') {
      isHelp.value = true
    } else if (event.key === '/') {
      event.preventDefault()
      document.getElementById(searchId)?.focus()
    }
  })
}

export const KeysHelp = () => {
  return (
    <Dialog isOpen={isHelp} title={say('keys')}>
      <dl class="keys">
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>{say('search')}</dd>
        </div>
        {seenSections()
          .flatMap((section) => section.links)
          .map(({ key, name }) => (
            <div key={key}>
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{say(name)}</dd>
            </div>
          ))}
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>{say('keys')}</dd>
        </div>
      </dl>
    </Dialog>
  )
}

export const showKeys = (): void => {
  isHelp.value = true
}
