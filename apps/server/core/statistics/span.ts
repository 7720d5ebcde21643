import { badRequest } from '@sallyport/contract/errors'
import { latestTime } from '@sallyport/contract/shapes'
import { daysText } from '@sallyport/domain/text/counted'
import { type Step, startOf } from '@sallyport/domain/time/local-time'

/** A time that is divided into steps, as operators ask for figures of any kind. */

/** More than a year of hours. */
const mostSteps = 10_000
/** Of one answer: steps times what each is divided by. */
export const mostRows = 100_000

const daySeconds = 86_400
const stepSeconds: Readonly<Record<Step, number>> = { hour: 3600, day: daySeconds, month: 28 * daySeconds }

/** How far back, where nothing is said. */
const usualSeconds: Readonly<Record<Step, number>> = {
  hour: daySeconds - 3600,
  day: 29 * daySeconds,
  month: 335 * daySeconds,
}

export interface AskedSpan<S extends Step> {
  readonly from?: number
  readonly to?: number
  readonly step?: S
}

export interface TimeSpan<S extends Step> {
  readonly from: number
  /** Not included. */
  readonly to: number
  readonly step: S
}

const isWithin = (seconds: number, step: Step): boolean => seconds <= mostSteps * stepSeconds[step]

/** Of these steps the first is the usual one; each after it that is longer may be the one to take instead. */
export const spanOf = <S extends Step>(
  asked: AskedSpan<S>,
  steps: readonly [S, ...S[]],
  { zone, now }: { readonly zone: string; readonly now: number },
): TimeSpan<S> => {
  const { step = steps[0], to = now + 1 } = asked
  const from = asked.from ?? Math.max(0, startOf(Math.max(0, to - 1 - usualSeconds[step]), zone, step))
  if (from >= to) throw badRequest('to', 'must be after from')
  if (to > latestTime - 62 * daySeconds) throw badRequest('to', 'is too far away')
  if (isWithin(to - from, step)) return { from, to, step }
  const most = daysText(Math.floor((mostSteps * stepSeconds[step]) / daySeconds), 'en')
  const wider = steps.find((other) => isWithin(to - from, other))
  const instead = wider ? `; step=${wider} reaches as far` : ''
  throw badRequest('from', `may be at most ${most} before to with step=${step}${instead}`)
}

/** What is divided by very much is refused before it is put together. */
export const refuseTooMany = (
  steps: number,
  values: number,
  { step, by }: { step: Step; by: string },
): void => {
  if (steps * values <= mostRows) return
  const most = Math.floor(mostRows / values)
  const fewer = most > 0 ? `at most ${most} steps of one ${step}, or ` : ''
  throw badRequest(
    'by',
    `makes ${steps * values} rows, with ${values} values of ${by}, and ${mostRows} are the most: ask for ${fewer}a longer step`,
  )
}
