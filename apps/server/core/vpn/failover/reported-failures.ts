import type { EngineName } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { accessIdOf, isCopy } from '../../fleet/placements.ts'

/** What a report says is not carried, whichever agent it is from. */

export interface Named {
  readonly accessId: number
  readonly reason: string
  /** Refused for what its customer wrote. */
  readonly isUnfit: boolean
}

export interface Said {
  /** Inbounds that are not open; the node's own among them count. */
  readonly closed: readonly { readonly tag: string; readonly reason: string }[]
  readonly named: readonly Named[]
  /** Engines without which nobody of theirs is served. */
  readonly absent: readonly EngineName[]
}

type Telling = Pick<Report, 'refused' | 'apply_error' | 'not_carried' | 'engines'>

/** Older agents name an inbound in a sentence, and nowhere else. */
const closedInWords = (sentences: string | null): Said['closed'] =>
  [...(sentences ?? '').matchAll(/(?:^|; )inbound ([a-z0-9-]{1,60}-\d{1,15}): ([^;]+)/g)].map(
    ([, tag = '', reason = '']) => ({ tag, reason }),
  )

const placeSentences =
  /\bport \d+ (is|may|cannot)\b|\baddress \S+ (is taken|is used)|\bis not served\b|\bended \(|\bdid not start\b/

/** Whether the reason that an older agent gave has to do with the place, and not with what the customer wrote. */
export const isOfPlace = (reason: string): boolean => placeSentences.test(reason)

/** Copies of how something was are not what customers have: where they are not carried, it is elsewhere. */
const named = (ids: readonly string[], reasons: ReadonlyMap<string, string>, isUnfit: boolean): Named[] =>
  ids.flatMap((id) => {
    const accessId = accessIdOf(id)
    return accessId === undefined || isCopy(accessId)
      ? []
      : [{ accessId, reason: reasons.get(id) ?? '', isUnfit }]
  })

/**
 * One that is missing carries nobody. Of one that has crashed, agents that name whom they do not carry say it themselves; of
 * older ones it is believed but for AmneziaWG, which is said to have crashed when one of its interfaces has.
 */
const absentIn = ({ engines, not_carried }: Telling): EngineName[] =>
  engines
    .filter(({ name, state }) =>
      state === 'crashed'
        ? not_carried === undefined && name !== 'amneziawg'
        : state === 'missing' || state === 'refused',
    )
    .map(({ name }) => name)

export const saidOf = (report: Telling): Said => {
  const { refused, apply_error, not_carried: told } = report
  const reasons = new Map(refused.map(({ id, reason }) => [id, reason]))
  const absent = absentIn(report)
  if (told === undefined) {
    return { closed: closedInWords(apply_error), named: named([...reasons.keys()], reasons, false), absent }
  }
  const own = [...named(told.accesses, reasons, false), ...named(told.unfit, reasons, true)]
  return { closed: told.inbounds, named: own, absent }
}

export const isSilent = ({ closed, named: own, absent }: Said): boolean =>
  closed.length + own.length + absent.length === 0
