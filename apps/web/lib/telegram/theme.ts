import { contrast } from '@sallyport/domain/brand/colour'

/** Telegram's colours, where everything is still read on them. The accent stays the operator's. */

export type ThemeParams = Readonly<Record<string, string>>

/** WCAG 2 AA for text of the usual size. */
const enough = 4.5

const shape = /^#[0-9a-f]{6}$/i

/** #rgb is written out; whatever is no such colour is none. */
const colourIn = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? ''
  const long = /^#[0-9a-f]{3}$/i.test(trimmed) ? trimmed.replace(/[0-9a-f]/gi, '$&$&') : trimmed
  return shape.test(long) ? long : undefined
}

export const isDark = ({ bg_color }: ThemeParams): boolean | undefined => {
  const background = colourIn(bg_color)
  return background === undefined
    ? undefined
    : contrast(background, '#ffffff') > contrast(background, '#000000')
}

const isRead = (texts: readonly string[], grounds: readonly string[]): boolean =>
  texts.every((text) => grounds.every((ground) => contrast(text, ground) >= enough))

/** What stands on the grounds, and the grounds that stay ours. */
const written = ['dim', 'good', 'warn', 'bad', 'accent'] as const
const soft = ['soft', 'warn-soft', 'accent-soft'] as const

export type Colours = Readonly<Record<'bg' | 'card' | 'text', string>>

/** Both grounds and the text, or none of them: half a theme is worse than ours. `own` gives our colours by name. */
export const coloursFor = (
  params: ThemeParams,
  own: (name: string) => string | undefined,
): Colours | undefined => {
  const bg = colourIn(params.secondary_bg_color ?? params.bg_color)
  const card = colourIn(params.section_bg_color ?? params.bg_color)
  const text = colourIn(params.text_color)
  if (!bg || !card || !text) return undefined
  const ours = (names: readonly string[]) => names.flatMap((name) => colourIn(own(name)) ?? [])
  const fits = isRead(ours(written), [bg, card]) && isRead([text], [bg, card, ...ours(soft)])
  return fits ? { bg, card, text } : undefined
}

const names = ['bg', 'card', 'text'] as const

export const applyTheme = (params: ThemeParams, root = document.documentElement): void => {
  const dark = isDark(params)
  if (dark === undefined) return
  root.dataset.theme = dark ? 'dark' : 'light'
  for (const name of names) root.style.removeProperty(`--${name}`)
  const style = getComputedStyle(root)
  const colours = coloursFor(params, (name) => style.getPropertyValue(`--${name}`))
  if (colours) for (const name of names) root.style.setProperty(`--${name}`, colours[name])
}
