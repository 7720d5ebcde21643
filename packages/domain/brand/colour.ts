/** Colours as #rrggbb, and how well one is read on another. */

export type Channels = readonly [red: number, green: number, blue: number]

export const colourPattern = '^#[0-9a-fA-F]{6}$'

const channelsOf = (colour: string): Channels => {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const written = (channels: Channels): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** WCAG 2: relative luminance of sRGB. */
const linear = (channel: number): number => {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const luminanceOf = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** From 1, which nobody sees, to 21, black on white. */
export const contrast = (a: string, b: string): number => {
  const [one, other] = [luminanceOf(a), luminanceOf(b)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

/** `part` of the one laid over the other. */
export const mixed = (over: string, under: string, part: number): string => {
  const below = channelsOf(under)
  const [red, green, blue] = channelsOf(over).map(
    (channel, at) => channel * part + (below[at] as number) * (1 - part),
  ) as [number, number, number]
  return written([red, green, blue])
}

export interface Hue {
  /** Degrees; 0 of greys. */
  readonly hue: number
  readonly saturation: number
  readonly lightness: number
}

export const hueOf = (colour: string): Hue => {
  const [red, green, blue] = channelsOf(colour).map((channel) => channel / 255) as [number, number, number]
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  const lightness = most - span / 2
  if (span === 0) return { hue: 0, saturation: 0, lightness }
  const sixth =
    most === red ? (green - blue) / span : most === green ? (blue - red) / span + 2 : (red - green) / span + 4
  return { hue: (sixth * 60 + 360) % 360, saturation: span / (1 - Math.abs(2 * lightness - 1)), lightness }
}

export const colourOf = ({ hue, saturation, lightness }: Hue): string => {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (start: number): number => {
    const at = (start + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  }
  return written([channel(0), channel(8), channel(4)])
}
