import { table } from '../../operation.ts'
import { broadcastRows } from './broadcasts.ts'
import { customerRows } from './customers.ts'
import { grantRows } from './grants.ts'
import { termRows } from './terms.ts'
import { userRows } from './users.ts'

/** Customers, as operators find, help and stop them. */
export const operatorPeople = table({ ...customerRows, ...userRows, ...termRows, ...grantRows })
