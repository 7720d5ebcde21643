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

/**
 * Which of sing-box's two ways to say it: servers of DNS changed their form in 1.12. 1.11 does not read the new one, and
 * 1.13 not the old one; 1.12 reads both, 1.10 and older neither.
 */
export type SingBoxVariant = '1.11' | '1.12'

export type Variant = XrayVariant | SingBoxVariant

/** Of the formats that have any. */
export const variants: Readonly<Partial<Record<Format | 'page', readonly Variant[]>>> = {
  xray: ['list', 'single'],
  'sing-box': ['1.11', '1.12'],
}
