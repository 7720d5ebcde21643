import { backgrounds, type Shades, type Theme } from '@sallyport/domain/brand/palette'
import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface SightProps {
  readonly theme: Theme
  readonly shades: Shades
  readonly name: string
  /** The logo, where there is one. */
  readonly picture: string | undefined
}

/** Of the theme, whatever the operator's own is; its texts are in the style. */
const variablesOf = (theme: Theme, { accent, accentSoft, onAccent }: Shades) => ({
  '--bg': backgrounds[theme].bg,
  '--card': backgrounds[theme].card,
  '--soft': backgrounds[theme].soft,
  '--accent': accent,
  '--accent-soft': accentSoft,
  '--on-accent': onAccent,
})

/** A card of the cabinet as customers see it. Nothing in it can be pressed. */
export const Sight = ({ theme, shades, name, picture }: SightProps) => (
  <div class={`sight ${theme}`} style={variablesOf(theme, shades)}>
    <p class="name">
      {picture !== undefined && <img src={picture} alt="" />}
      <b>{name}</b>
      <span class="small">{say(theme)}</span>
    </p>
    <div class="card">
      <b>{say('sightTitle')}</b>
      <span class="small">{say('sightUntil')}</span>
      <span class="soft">{say('sightNews')}</span>
      <span class="link">{say('sightLink')}</span>
      <span class="button">{say('sightButton')}</span>
    </div>
  </div>
)
