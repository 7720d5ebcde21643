import type { operatorPeople } from '@sallyport/contract/operator/people/people'
import type { Handlers } from '../../../core/call.ts'
import { broadcastHandlers } from './broadcasts.ts'
import { customerHandlers } from './customers.ts'
import { diagnosisHandlers } from './diagnosis.ts'
import { searchHandlers } from './search.ts'
import { grantHandlers } from './terms/grants.ts'
import { termHandlers } from './terms/terms.ts'
import { userPageHandlers } from './user-page.ts'
import { userHandlers } from './users.ts'

export const operatorPeopleHandlers: Handlers<typeof operatorPeople> = {
  ...customerHandlers,
  ...searchHandlers,
  ...userPageHandlers,
  ...diagnosisHandlers,
  ...broadcastHandlers,
  ...userHandlers,
  ...termHandlers,
  ...grantHandlers,
}
