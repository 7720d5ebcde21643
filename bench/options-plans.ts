import { beginPeriods, followServers, watchTraffic } from '../apps/server/core/options/option-jobs.ts'
import { countAdded, findConfig, findOwn, lockOption } from '../apps/server/core/options/option-ownership.ts'
import { listSubscriptions } from '../apps/server/core/options/option-terms.ts'
import { findUsage, restartPeriod } from '../apps/server/core/options/traffic-usage.ts'
import { pauseAccesses, resumeAccesses } from '../apps/server/core/vpn/operations/server-slots.ts'
import { findAtIndex, namesOf } from '../apps/server/features/paid-options/queries.ts'
import type { Sample } from './sample.ts'
import type { Work } from './scans.ts'
import { makeTools } from './terms-plans.ts'

/** Paid options: the rounds that watch their traffic, and what customers see of them. */

const silent = { info: () => {}, warn: () => {}, error: () => {} }

export const optionWorks = ({ option, now }: Sample): readonly Work[] => {
  const tools = { ...makeTools(), log: silent }
  const { userId, optionId, termId, accessId } = option
  return [
    ['what has moved', (tx) => watchTraffic({ db: tx, ...tools }, now)],
    ['traffic periods', (tx) => beginPeriods({ db: tx, ...tools }, now)],
    ['servers that options follow', (tx) => followServers({ db: tx, ...tools }, now)],
    ['usage of an option', (tx) => findUsage(tx, termId)],
    ['a period that begins', (tx) => restartPeriod(tx, termId, now)],
    ['an option that is paused', (tx) => pauseAccesses(tx, tools.bus, [termId])],
    ['an option that is resumed', (tx) => resumeAccesses(tx, tools.bus, [termId])],
    ["a customer's options", (tx) => listSubscriptions(tx, now, userId)],
    ["a customer's option", (tx) => findOwn(tx, userId, optionId)],
    ['an option that is held', (tx) => lockOption(tx, userId, optionId)],
    ['a configuration by its index', (tx) => findAtIndex(tx, { userId, optionId, index: 1 })],
    ['a configuration of an option', (tx) => findConfig(tx, userId, optionId, accessId)],
    ['what was added to an option', (tx) => countAdded(tx, termId)],
    ['names of options', (tx) => namesOf(tx, [{ id: termId }])],
  ]
}
