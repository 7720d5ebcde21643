import { effect, signal } from '@preact/signals'
import { consolePages } from '@sallyport/domain/console/pages'
import { Problem } from '../kit/problem.tsx'
import { Loading } from '../kit/shown.tsx'
import { nameTab } from '../kit/tab.ts'
import { Toasts } from '../kit/toast.tsx'
import { sayIn } from '../lib/language.ts'
import { followLinks, paramsOf, useLocation } from '../lib/router.ts'
import { EndedDialog } from './frame/ended.tsx'
import { KeysHelp, listenToKeys } from './frame/keys.tsx'
import { may, readMe } from './frame/me.ts'
import { ProofDialog } from './frame/proof-dialog.tsx'
import { Sections } from './frame/side.tsx'
import { Top } from './frame/top.tsx'
import { words } from './frame/words.en.ts'
import { type Screen, screens } from './screens.ts'

const say = sayIn(words)

const find = (path: string) => {
  for (const one of consolePages) {
    const params = paramsOf(one.path, path)
    if (params) return { ...one, params }
  }
  return undefined
}

followLinks((path) => find(path) !== undefined)
listenToKeys()

const Nothing = ({ text }: { readonly text: string }) => (
  <div class="empty">
    <h1>{text}</h1>
    <a class="button p" href="/console">
      {say('toFront')}
    </a>
  </div>
)
const Lost = () => <Nothing text={say('lost')} />
const NotYours = () => <Nothing text={say('notYours')} />

/** A file of the page did not come. */
const Broken = () => (
  <div class="empty">
    <p>{say('broken')}</p>
    <button type="button" class="p" onClick={() => location.reload()}>
      {say('again')}
    </button>
  </div>
)

interface Shown {
  readonly path: string
  readonly Screen: Screen | typeof Lost
  readonly params: Readonly<Record<string, string>>
}

const shown = signal<Shown | undefined>(undefined)

/** A new screen begins at its top, with the focus at its heading. */
const show = (next: Shown): void => {
  const before = shown.peek()
  shown.value = next
  if (before === undefined || before.path === next.path) return
  scrollTo(0, 0)
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** What is shown stays until the next screen is there. */
effect(() => {
  const { path } = useLocation()
  const found = find(path)
  if (!found) return show({ path, Screen: Lost, params: {} })
  if (!readMe().data.value) return
  const { screen, params, calls } = found
  if (!may(calls)) return show({ path, Screen: NotYours, params })
  let isStill = true
  screens[screen]().then(
    (module) => isStill && show({ path, Screen: module.default as Screen, params }),
    () => isStill && show({ path, Screen: Broken, params }),
  )
  return () => {
    isStill = false
  }
})

const Body = () => {
  const me = readMe()
  if (!me.data.value && me.error.value !== undefined)
    return <Problem error={me.error.value} onRetry={() => void me.reload()} />
  if (!shown.value) return <Loading />
  const { path, Screen, params } = shown.value
  return <Screen key={path} params={params} />
}

export const App = () => (
  <>
    <a class="skip" href="#main">
      {say('skip')}
    </a>
    <div class="console">
      <Top />
      <Sections />
      <main id="main" tabIndex={-1}>
        <Body />
      </main>
    </div>
    <ProofDialog />
    <EndedDialog />
    <KeysHelp />
    <Toasts />
  </>
)

export const begin = (): void => {
  void readMe().reload()
  setTimeout(nameTab)
}
