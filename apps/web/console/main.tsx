import '../style/colours.css'
import '../style/base.css'
import '../style/cards.css'
import '../style/forms.css'
import '../style/over.css'
import '../style/list.css'
import '../style/lists.css'
import '../style/drawn.css'
import '../style/choice.css'
import '../style/switch.css'
import '../style/json.css'
import './style/frame.css'
import './style/toasts.css'
import './style/table.css'
import './style/parts.css'
import './style/several.css'
import './style/prices.css'
import '../kit/parts/problems.ts'
import { render } from 'preact'
import { App, begin } from './app.tsx'

const root = document.getElementById('root')
if (root) {
  begin()
  render(<App />, root)
}
