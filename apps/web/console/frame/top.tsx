import { Menu } from '../../kit/menu.tsx'
import { changeLanguage, language, remember, sayIn } from '../../lib/language.ts'
import { page } from '../../lib/page.ts'
import { route, useLocation } from '../../lib/router.ts'
import { api } from '../api.ts'
import { asking, to } from '../paths.ts'
import { searchId, showKeys } from './keys.tsx'
import { may, readMe } from './me.ts'
import { isMenuOpen } from './menu.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const look = (theme: 'light' | 'dark' | ''): void => {
  remember('theme', theme)
  if (theme === '') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

const leave = async (): Promise<void> => {
  await api.signOutOperator()
  location.assign('/console/sign-in')
}

/** Enter goes to what is called so, where there is but one; what is found otherwise is a list. */
const Search = () => {
  const { path, query } = useLocation()
  const written = path === to('/console/search') ? query.for : ''
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get('for')).trim()
          if (text !== '') route(asking(to('/console/search'), { for: text }))
        }}
      >
        <label class="hidden" for={searchId}>
          {say('search')}
        </label>
        <input
          key={written}
          id={searchId}
          name="for"
          type="search"
          autocomplete="off"
          spellcheck={false}
          maxLength={300}
          defaultValue={written ?? ''}
          placeholder={say('searchHint')}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}

const Person = () => {
  const me = readMe().data.value
  if (!me) return null
  const items = [
    { text: say('me'), run: () => route(to('/console/me')) },
    { text: say('keys'), run: showKeys },
    { text: say('otherLanguage'), run: changeLanguage },
    { text: `${say('look')}: ${say('asSystem')}`, run: () => look('') },
    { text: `${say('look')}: ${say('light')}`, run: () => look('light') },
    { text: `${say('look')}: ${say('dark')}`, run: () => look('dark') },
    { text: say('signOut'), run: () => void leave() },
  ]
  return (
    <Menu items={items} label={me.name}>
      <span class="person">{me.name}</span>
    </Menu>
  )
}

export const Top = () => (
  <header class="top">
    <button
      type="button"
      class="icon menu-button"
      aria-label={say('menu')}
      aria-expanded={isMenuOpen.value}
      aria-controls="sections"
      onClick={() => {
        isMenuOpen.value = !isMenuOpen.value
      }}
    >
      ☰
    </button>
    <a class="brand" href="/console" lang={language}>
      {page.name}
    </a>
    {may('searchUsers') && <Search />}
    <Person />
  </header>
)
