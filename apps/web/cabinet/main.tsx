import '../style/colours.css'
import '../style/base.css'
import './style/frame.css'
import '../style/cards.css'
import './style/home.css'
import { render } from 'preact'
import { keptInTab } from '../lib/kept.ts'
import { page } from '../lib/page.ts'
import { App } from './app.tsx'

/** What an address says anybody can write: Telegram is believed where its app is, or where the page stands in a frame. */
const isMiniApp =
  ('TelegramWebviewProxy' in window || window.parent !== window) &&
  (location.hash.includes('tgWebApp') || keptInTab('telegram') !== undefined)

const begin = async (): Promise<void> => {
  // Without it the cabinet is as in any browser.
  if (isMiniApp)
    await import('../lib/telegram/app.ts').then(({ startInTelegram }) => startInTelegram(), console.error)
  // Whoever is signed in has been linking something, which is for that screen to read.
  if (!page.isSignedIn && /[#&](sign_in_|tgAuthResult)/.test(location.hash))
    await import('../lib/entry/came-back.ts').then(({ takeCameBack }) => takeCameBack(), console.error)
  const root = document.getElementById('root')
  // What stands there until the scripts have come.
  root?.replaceChildren()
  if (root) render(<App />, root)
}

void begin()
