import { contrast } from '@sallyport/domain/brand/colour'
import {
  accentProblem,
  backgrounds,
  type Palette,
  paletteOf,
  type Theme,
  usualAccent,
} from '@sallyport/domain/brand/palette'

/** What the service will say of a colour, before it is sent. */

const colour = /^#[0-9a-f]{6}$/

/** Where it is read worst in a theme. */
const worstOn = (shade: string, theme: Theme): number =>
  Math.min(...Object.values(backgrounds[theme]).map((background) => contrast(shade, background)))

/** Never rounded up to what would have been enough. */
const told = (value: number): number => Math.floor(value * 100) / 100

export interface Judged {
  /** What was written, if it is a colour; empty is the usual one. */
  readonly wanted: string | undefined
  /** In a light theme, as it was written. */
  readonly contrast: number
  /** The nearest that may be taken; undefined where the wanted one may. */
  readonly nearest: string | undefined
  /** Of what may be taken. */
  readonly palette: Palette
  readonly contrasts: Readonly<Record<Theme, number>>
}

export const judge = (written: string): Judged => {
  const text = written.trim().toLowerCase()
  const wanted = text === '' ? usualAccent : text
  const isColour = colour.test(wanted)
  const problem = isColour ? accentProblem(wanted) : null
  const palette = paletteOf(problem?.nearest ?? (isColour ? wanted : usualAccent))
  const worst = (theme: Theme): number => told(worstOn(palette[theme].accent, theme))
  return {
    wanted: isColour ? wanted : undefined,
    contrast: problem ? told(problem.contrast) : worst('light'),
    nearest: problem?.nearest,
    palette,
    contrasts: { light: worst('light'), dark: worst('dark') },
  }
}
