/** Everything that apps can be given; a browser's page is made elsewhere. */
export const formats = [
  'base64',
  'links',
  'xray',
  'mihomo',
  'stash',
  'clash',
  'sing-box',
  'outline',
  'conf',
] as const
export type Format = (typeof formats)[number]

/** A config for each entry, as apps list them, or one in which Xray itself takes whichever answers best. */
export type XrayVariant = 'list' | 'single'

/** Which of sing-box's two ways to say it: DNS servers changed their form in 1.12, and the old one ends with 1.13. */
export type SingBoxVariant = '1.11' | '1.12'

export type Variant = XrayVariant | SingBoxVariant

/** Of the formats that have any. */
export const variants: Readonly<Partial<Record<Format | 'page', readonly Variant[]>>> = {
  xray: ['list', 'single'],
  'sing-box': ['1.11', '1.12'],
}
