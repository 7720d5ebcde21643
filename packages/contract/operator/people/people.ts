import { table } from '../../operation.ts'
import { broadcastRows } from './broadcasts.ts'
import { customerRows } from './customers.ts'
import { diagnosisRows } from './diagnosis.ts'
import { grantRows } from './grants.ts'
import { searchRows } from './search.ts'
import { termRows } from './terms.ts'
import { userPageRows } from './user-page.ts'
import { userRows } from './users.ts'

/** Customers, as operators find, help and stop them. */
export const operatorPeople = table({
  ...searchRows,
  ...userPageRows,
  ...diagnosisRows,
  ...customerRows,
  ...userRows,
  ...termRows,
  ...grantRows,
  ...broadcastRows,
})
