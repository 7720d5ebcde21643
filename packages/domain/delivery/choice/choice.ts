import { type Format, formats, type SingBoxVariant, type Variant, variants } from '../format.ts'
import { choiceRules } from './rules.ts'

/** Which of the formats a request is answered in. */

export interface FormatRequest {
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

/** By the request's headers; an address that names the format leaves only the variant to them, or not even that. */
export const chooseFormat = (asked: FormatRequest, named?: Choice): Choice => {
  const userAgent = read(asked.userAgent)
  if (named !== undefined) return named.variant === undefined ? withVariant(named.format, userAgent) : named
  const headers = { accept: read(asked.accept), 'user-agent': userAgent }
  const rule = choiceRules.find(
    ({ header, pattern, needsTemplate }) =>
      pattern.test(headers[header]) && (needsTemplate === undefined || asked.isTemplateEnabled),
  )
  return withVariant(rule?.format ?? 'base64', userAgent)
}

const nameable: readonly string[] = [...formats, 'page']

/** What an address names with ?format= and &variant=; anything but what there is of them is refused. */
export const readNamed = (
  format: unknown,
  variant?: unknown,
): Choice | undefined | { readonly problem: string } => {
  if (format === undefined && variant === undefined) return undefined
  if (typeof format !== 'string' || !nameable.includes(format))
    return { problem: `format must be one of ${nameable.join(', ')}` }
  const named = { format: format as Format | 'page' }
  if (variant === undefined) return named
  const own = variants[named.format]
  if (!own) return { problem: `${format} has no variants` }
  const found = own.find((one) => one === variant)
  return found === undefined
    ? { problem: `variant of ${format} must be one of ${own.join(', ')}` }
    : { ...named, variant: found }
}
