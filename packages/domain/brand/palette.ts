import { colourOf, contrast, hueOf, mixed } from './colour.ts'

/** What becomes of the one colour that an operator chooses. */

export const usualAccent = '#0b6e5f'

/** WCAG 2 AA for text of the usual size. */
export const enough = 4.5

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

interface Backgrounds {
  readonly bg: string
  readonly card: string
  readonly soft: string
}

/** What text stands on in each theme. */
export const backgrounds: Readonly<Record<Theme, Backgrounds>> = {
  light: { bg: '#f5f6f8', card: '#ffffff', soft: '#f1f3f5' },
  dark: { bg: '#12161c', card: '#1a2028', soft: '#232b35' },
}

export interface Shades {
  /** Of links and of buttons. */
  readonly accent: string
  /** Behind text in the accent. */
  readonly accentSoft: string
  /** Text on buttons. */
  readonly onAccent: string
}

export type Palette = Readonly<Record<Theme, Shades>>

const white = '#ffffff'
const nearBlack = '#0b0f14'

/** As text where it is read worst. */
const worstContrast = (accent: string, theme: Theme): number =>
  Math.min(...Object.values(backgrounds[theme]).map((background) => contrast(accent, background)))

/** Less than one of the 255 of a channel. */
const step = 1 / 1020

/** The same hue, so much lighter or darker that it is read everywhere in the theme. */
const nearest = (colour: string, theme: Theme): string => {
  const { lightness, ...hue } = hueOf(colour)
  const towards = theme === 'light' ? -step : step
  let found = colour
  for (let at = lightness; worstContrast(found, theme) < enough; at += towards) {
    found = colourOf({ ...hue, lightness: Math.min(1, Math.max(0, at)) })
  }
  return found
}

/** As much of the accent in its background as text in the accent bears. */
const softOf = (accent: string, theme: Theme): string => {
  const { card } = backgrounds[theme]
  const soft = (percent: number) => mixed(accent, card, percent / 100)
  let percent = theme === 'light' ? 12 : 20
  while (percent > 0 && contrast(accent, soft(percent)) < enough) percent--
  return soft(percent)
}

const shadesOf = (accent: string, theme: Theme): Shades => ({
  accent,
  accentSoft: softOf(accent, theme),
  onAccent: contrast(white, accent) >= enough ? white : nearBlack,
})

/** Of a colour that has no problem. Light is the operator's own; dark is as much lighter as it takes. */
export const paletteOf = (accent: string): Palette => ({
  light: shadesOf(nearest(accent, 'light'), 'light'),
  dark: shadesOf(nearest(accent, 'dark'), 'dark'),
})

export interface AccentProblem {
  /** Where it is read worst, in the light theme. */
  readonly contrast: number
  /** Of the same hue, darker, and read well. */
  readonly nearest: string
}

/** Null when it is read well as text in the light theme. */
export const accentProblem = (accent: string): AccentProblem | null => {
  const has = worstContrast(accent, 'light')
  return has >= enough ? null : { contrast: has, nearest: nearest(accent, 'light') }
}
