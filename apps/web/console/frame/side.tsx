import { computed } from '@preact/signals'
import { sayIn } from '../../lib/language.ts'
import { useLocation } from '../../lib/router.ts'
import { isMenuOpen } from './menu.ts'
import { seenSections } from './sections.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const seen = computed(seenSections)

/** What the address belongs to: the longest path it begins with. */
const currentOf = (path: string): string | undefined =>
  seen.value
    .flatMap((section) => section.links)
    .map((link) => link.path as string)
    .filter((at) => path === at || (at !== '/console' && path.startsWith(`${at}/`)))
    .sort((a, b) => b.length - a.length)[0]

export const Sections = () => {
  const current = currentOf(useLocation().path)
  return (
    <nav class={isMenuOpen.value ? 'side open' : 'side'} id="sections" aria-label={say('sections')}>
      {seen.value.map(({ name, links }) => (
        <section key={name}>
          <h2>{say(name)}</h2>
          {links.map((link) => (
            <a
              key={link.path}
              href={link.path}
              aria-current={link.path === current ? 'page' : undefined}
              onClick={() => {
                isMenuOpen.value = false
              }}
            >
              {say(link.name)}
            </a>
          ))}
        </section>
      ))}
    </nav>
  )
}
