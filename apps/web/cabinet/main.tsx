import './style/colours.css'
import './style/base.css'
import './style/frame.css'
import './style/cards.css'
import './style/forms.css'
import './style/access.css'
import './style/home.css'
import './style/sign-in.css'
import './style/json.css'
import './style/shop.css'
import './style/account.css'
import { render } from 'preact'
import { keptInTab } from '../lib/kept.ts'
import { keepShell } from '../lib/shell.ts'
import { App } from './app.tsx'

/** Telegram names itself in the address, or by what its apps put into the window. */
const isMiniApp =
  location.hash.includes('tgWebApp') ||
  'TelegramWebviewProxy' in window ||
  keptInTab('telegram') !== undefined

if (isMiniApp) {
  // Without it the cabinet is as in any browser.
  await import('../lib/telegram-app.ts').then(({ startInTelegram }) => startInTelegram(), console.error)
}

const root = document.getElementById('root')
if (root) render(<App />, root)

keepShell(() => import('./screens/connect/connect.tsx'))
