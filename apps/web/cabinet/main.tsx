import './style/colours.css'
import './style/base.css'
import './style/frame.css'
import './style/cards.css'
import './style/forms.css'
import './style/home.css'
import { render } from 'preact'
import { keepShell } from '../lib/shell.ts'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root) render(<App />, root)

keepShell(() => import('./screens/connect/connect.tsx'))
