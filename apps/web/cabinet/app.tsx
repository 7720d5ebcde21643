import { signal } from '@preact/signals'
import { cabinetPages } from '@sallyport/domain/cabinet/pages'
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { Loading } from '../kit/shown.tsx'
import { Toasts } from '../kit/toast.tsx'
import { changeLanguage, language, sayIn } from '../lib/language.ts'
import { page } from '../lib/page.ts'
import { isEntering, isSignedIn } from '../lib/session.ts'
import { Icon } from './icons.tsx'
import { Mirrors } from './mirrors.tsx'
import { to } from './paths.ts'
import { type ScreenProps, screens } from './screens.ts'
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

const Top = () => (
  <header class="top">
    <a class="brand" href="/">
      {page.hasLogo && <img src="/brand/logo" alt="" />}
      {page.name}
    </a>
    <span class="row">
      {isSignedIn.value && (
        <a class="button icon" href={to('/notifications')} aria-label={say('notifications')}>
          <Icon name="bell" />
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

const hasFailed = signal(false)

/** A file of the page did not come. */
const Broken = () => (
  <div class="empty">
    <p>{say('broken')}</p>
    <button type="button" class="p" onClick={() => location.reload()}>
      {say('again')}
    </button>
  </div>
)

/** Whoever is not signed in is asked to, where they are: the address stays, and so does what they came for. */
const guarded = (page: (typeof cabinetPages)[number]) => {
  const Screen = screens[page.screen]
  const SignIn = screens['sign-in']
  const isOpen = 'isOpen' in page
  return (props: ScreenProps) => {
    if (isOpen || isSignedIn.value) return <Screen {...props} />
    return isEntering.value ? <Loading /> : <SignIn {...props} />
  }
}

const routes = cabinetPages.map((one) => ({ path: one.path, component: guarded(one) }))

/** A new screen begins at its top, with the focus at its heading. */
const onRoute = (): void => {
  scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** What the service answers with something else than this page is left to the browser. */
const scope = /^\/(?!(?:open|docs|v1|sub|pay|brand)(?:\/|$))/

export const App = () => (
  <LocationProvider scope={scope}>
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
        <Mirrors />
        {hasFailed.value ? (
          <Broken />
        ) : (
          <ErrorBoundary
            onError={(error) => {
              console.error(error)
              hasFailed.value = true
            }}
          >
            <Router onRouteChange={onRoute}>
              {routes.map(({ path, component }) => (
                <Route key={path} path={path} component={component} />
              ))}
              <Route default component={Lost} />
            </Router>
          </ErrorBoundary>
        )}
      </main>
    </div>
    <Toasts />
  </LocationProvider>
)
