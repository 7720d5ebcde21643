import { paletteOf, type Shades } from '@sallyport/domain/brand/palette'

/** The operator's one colour, as what the styles of the cabinet use. */

const variables = ({ accent, accentSoft, onAccent }: Shades): string =>
  `{--accent:${accent};--accent-soft:${accentSoft};--on-accent:${onAccent}}`

const styleOf = (accent: string): string => {
  const { light, dark } = paletteOf(accent)
  const [day, night] = [variables(light), variables(dark)]
  return `:root${day}@media(prefers-color-scheme:dark){:root:not([data-theme=light])${night}}:root[data-theme=dark]${night}`
}

/** Of the colour that was asked for last: finding shades that are read well takes longer than making the page. */
let kept = { accent: '', style: '' }

export const colourStyle = (accent: string): string => {
  if (kept.accent !== accent) kept = { accent, style: styleOf(accent) }
  return kept.style
}
