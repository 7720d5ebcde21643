import { keep, kept } from '../kept.ts'
import { SallyportError } from '../send.ts'

/** Who invited, from `?ref=` of the link, kept until somebody signs in: people look around and come back days later. */

const name = 'device:referral'

export const referralIn = (search: string): string | undefined => {
  const code = new URLSearchParams(search).get('ref')?.trim()
  return code && code.length <= 32 ? code : undefined
}

export const keepReferral = (search: string): void => {
  const code = referralIn(search)
  if (code !== undefined) keep(name, code)
}

export const forgetReferral = (): void => keep(name, undefined)

const isAboutReferral = (error: unknown): boolean =>
  error instanceof SallyportError && error.details.some(({ path }) => path === 'referral_code')

interface Referral {
  readonly referral_code?: string
}

/** A code that is nobody's is left out: it must not keep anybody from signing in. */
export const withReferral = async <T>(ask: (referral: Referral) => Promise<T>): Promise<T> => {
  const code = kept<string>(name)
  if (code === undefined) return ask({})
  try {
    return await ask({ referral_code: code })
  } catch (error) {
    if (!isAboutReferral(error)) throw error
    forgetReferral()
    return ask({})
  }
}
