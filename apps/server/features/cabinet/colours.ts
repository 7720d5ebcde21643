import type { Palette, Shades } from '@sallyport/domain/brand/palette'

/** The operator's one colour, as what the styles of the cabinet use. */

const variables = ({ accent, accentSoft, onAccent }: Shades): string =>
  `{--accent:${accent};--accent-soft:${accentSoft};--on-accent:${onAccent}}`

export const colourStyle = ({ light, dark }: Palette): string => {
  const [day, night] = [variables(light), variables(dark)]
  return `:root${day}@media(prefers-color-scheme:dark){:root:not([data-theme=light])${night}}:root[data-theme=dark]${night}`
}
