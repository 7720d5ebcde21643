import './style/colours.css'
import './style/base.css'
import './style/frame.css'
import './style/cards.css'
import './style/forms.css'
import './style/access.css'
import './style/json.css'
import './style/shop.css'
import { render } from 'preact'
import { App } from './app.tsx'

const root = document.getElementById('root')
if (root) render(<App />, root)
