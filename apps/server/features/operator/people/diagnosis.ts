import { ApiError } from '@sallyport/contract/errors'
import type { diagnosisRows } from '@sallyport/contract/operator/people/diagnosis'
import { diagnose } from '@sallyport/domain/lifecycle/diagnosis'
import { writtenTime } from '@sallyport/domain/time/local-time'
import type { Handlers } from '../../../core/call.ts'
import { readSettings } from '../../../core/kernel/settings.ts'
import { inSnapshot } from '../../../db/client.ts'
import {
  accessFacts,
  accountFacts,
  emptyTerms,
  fetchFacts,
  findTrafficAt,
  machineFacts,
  paymentFacts,
  termFacts,
} from './diagnosis-queries.ts'

export const diagnosisHandlers: Handlers<typeof diagnosisRows> = {
  diagnoseUser: ({ db, params: { id }, now }) =>
    inSnapshot(db, async (tx) => {
      const account = await accountFacts(tx, id)
      if (!account) throw new ApiError('NOT_FOUND')
      const { time_zone: zone } = await readSettings(tx)
      const facts = {
        ...account,
        terms: await termFacts(tx, id, now),
        accesses: await accessFacts(tx, id, now),
        emptyTerms: await emptyTerms(tx, id, now),
        machines: await machineFacts(tx, id, now),
        payment: await paymentFacts(tx, id, now),
        ...(await fetchFacts(tx, id, now)),
        trafficAt: await findTrafficAt(tx, id),
      }
      return diagnose(facts, (seconds) => writtenTime(seconds, zone))
    }),
}
