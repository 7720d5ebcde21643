import { effect, signal } from '@preact/signals'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'
import { Loading } from '../kit/shown.tsx'
import { changeLanguage, language, sayIn } from '../lib/language.ts'
import { page } from '../lib/page.ts'
import { followLinks, paramsOf, useLocation } from '../lib/router.ts'
import { noAnswers } from '../lib/send.ts'
import { isEntering, isSignedIn } from '../lib/session.ts'
import { Icon } from './icons.tsx'
import { to } from './paths.ts'
import { loadedScreen, loadScreen, type Screen } from './screens.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const isOffline = signal(!navigator.onLine)
addEventListener('online', () => {
  isOffline.value = false
})
addEventListener('offline', () => {
  isOffline.value = true
})

const sections = [
  ['home', to('/')],
  ['shop', to('/shop')],
  ['balance', to('/balance')],
  ['friends', to('/friends')],
  ['settings', to('/settings')],
] as const

/** What belongs to a section by its address. */
const sectionOf = (path: string): string =>
  sections.slice(1).find(([, at]) => path.startsWith(at))?.[0] ?? 'home'

const Sections = () => {
  const current = sectionOf(useLocation().path)
  return (
    <nav class="sections" aria-label={say('sections')}>
      {sections.map(([name, path]) => (
        <a key={name} href={path} aria-current={name === current ? 'page' : undefined}>
          <Icon name={name} />
          {say(name)}
        </a>
      ))}
    </nav>
  )
}

const hasFailed = signal(false)
const fail = (): void => {
  hasFailed.value = true
}

/** After what the screen itself asks for. */
const restMs = 2000
const later = signal<typeof import('./later.ts') | undefined>(undefined)

setTimeout(async () => {
  const module = await import('./later.ts').catch(() => undefined)
  later.value = module
  module?.watchErrors(fail)
  module?.nameTab()
  void module?.keepShell(() => loadScreen('connect'))
}, restMs)

const Top = () => (
  <header class="top">
    <a class="brand" href="/">
      {page.hasLogo && <img src="/brand/logo" alt="" />}
      {page.name}
    </a>
    <span class="row">
      {isSignedIn.value && (
        <a class="button icon" href={to('/notifications')}>
          <Icon name="bell" />
          <span class="hidden">{say('notifications')}</span>
          {later.value && <later.value.Unread />}
        </a>
      )}
      <button type="button" class="link" lang={language === 'ru' ? 'en' : 'ru'} onClick={changeLanguage}>
        {say('otherLanguage')}
      </button>
    </span>
  </header>
)

const Lost = () => (
  <div class="empty">
    <h1>{say('lost')}</h1>
    <a class="button p" href="/">
      {say('toHome')}
    </a>
  </div>
)

/** A file on a connection that has frozen never fails by itself. */
const patienceMs = 15_000

/** A file of the page did not come. */
const Broken = () => (
  <div class="empty">
    <p>{say('broken')}</p>
    <button type="button" class="p" onClick={() => location.reload()}>
      {say('again')}
    </button>
  </div>
)

const found = (path: string) => {
  for (const one of cabinetPages) {
    const params = paramsOf(one.path, path)
    if (params) return { screen: one.screen, isOpen: 'isOpen' in one, params }
  }
  return undefined
}

followLinks((path) => found(path) !== undefined)

interface Shown {
  readonly path: string
  readonly Screen: Screen | typeof Lost | typeof Loading
  readonly params: Readonly<Record<string, string>>
}

const shown = signal<Shown | undefined>(undefined)

/** A new screen begins at its top, with the focus at its heading. */
const show = (next: Shown): void => {
  // Looked at without following it: whoever shows would otherwise be called by what they have shown.
  const before = shown.peek()
  const isOther = before !== undefined && before.path !== next.path
  shown.value = next
  hasFailed.value = false
  if (!isOther) return
  scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/**
 * Whoever is not signed in is asked to, where they are: the address stays, and so does what they came for. What is shown stays until
 * the next screen is there.
 */
effect(() => {
  const { path } = useLocation()
  const page = found(path)
  if (!page) return show({ path, Screen: Lost, params: {} })
  const { isOpen, params } = page
  const isIn = isOpen || isSignedIn.value
  if (!isIn && isEntering.value) return show({ path, Screen: Loading, params })
  const name = isIn ? page.screen : 'sign-in'
  const known = loadedScreen(name)
  if (known) return show({ path, Screen: known, params })
  let isStill = true
  const failStill = (): void => {
    if (!isStill) return
    fail()
    noAnswers.value = 1
  }
  const waiting = setTimeout(failStill, patienceMs)
  loadScreen(name)
    .then((Screen) => isStill && show({ path, Screen, params }), failStill)
    .finally(() => clearTimeout(waiting))
  return () => {
    isStill = false
    clearTimeout(waiting)
  }
})

const Body = () => {
  if (hasFailed.value) return <Broken />
  if (!shown.value) return <Loading />
  const { path, Screen, params } = shown.value
  return <Screen key={path} params={params} />
}

export const App = () => (
  <>
    <a class="skip" href="#main">
      {say('skip')}
    </a>
    <div class={isSignedIn.value ? 'frame signed-in' : 'frame'}>
      <Top />
      {isSignedIn.value && <Sections />}
      <main id="main" tabIndex={-1}>
        {isOffline.value && (
          <p class="notice" role="status">
            {say('offline')}
          </p>
        )}
        {later.value && <later.value.Mirrors />}
        <Body />
      </main>
    </div>
    {later.value && <later.value.Toasts />}
  </>
)
