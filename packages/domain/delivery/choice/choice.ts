import { type Format, formats, type SingBoxVariant, type Variant } from '../format.ts'
import { choiceRules } from './rules.ts'

/** Which of the formats a request is answered in. */

export interface Asked {
  readonly userAgent: string | undefined
  readonly accept: string | undefined
  /** Whether the subscription has Xray's JSON switched on. */
  readonly isTemplateEnabled: boolean
}

export interface Choice {
  readonly format: Format | 'page'
  /** Of sing-box and Xray; the others have none. */
  readonly variant?: Variant
}

/** More than any app sends, and little enough to look through. */
const maxHeaderCharacters = 512

const newForm: readonly [major: number, minor: number] = [1, 12]

/** The engine's version where the app tells it, else the app's own, which is the same. Unknown means recent. */
const singBoxVariant = (userAgent: string): SingBoxVariant => {
  const version =
    /sing-?box[ /]v?(\d{1,4})\.(\d{1,4})/i.exec(userAgent) ??
    /\bsf[aimt]\/v?(\d{1,4})\.(\d{1,4})/i.exec(userAgent)
  if (version === null) return '1.12'
  const [major, minor] = [Number(version[1]), Number(version[2])]
  return major < newForm[0] || (major === newForm[0] && minor < newForm[1]) ? '1.11' : '1.12'
}

const withVariant = (format: Format | 'page', userAgent: string): Choice => {
  if (format === 'sing-box') return { format, variant: singBoxVariant(userAgent) }
  return format === 'xray' ? { format, variant: 'list' } : { format }
}

const read = (header: string | undefined): string => (header ?? '').slice(0, maxHeaderCharacters).trim()

/** By the request's headers; an address that names the format leaves only the variant to them. */
export const chooseFormat = (asked: Asked, named?: Format | 'page'): Choice => {
  const userAgent = read(asked.userAgent)
  if (named !== undefined) return withVariant(named, userAgent)
  const headers = { accept: read(asked.accept), 'user-agent': userAgent }
  const rule = choiceRules.find(
    ({ header, pattern, needsTemplate }) =>
      pattern.test(headers[header]) && (needsTemplate === undefined || asked.isTemplateEnabled),
  )
  return withVariant(rule?.format ?? 'base64', userAgent)
}

const nameable: readonly string[] = [...formats, 'page']

/** The format that an address names with ?format=; anything but one of them is refused. */
export const readFormatName = (
  value: unknown,
): { readonly format: Format | 'page' } | { readonly problem: string } =>
  typeof value === 'string' && nameable.includes(value)
    ? { format: value as Format | 'page' }
    : { problem: `format must be one of ${nameable.join(', ')}` }
