import { table } from '../../operation.ts'
import { customerRows } from './customers.ts'
import { searchRows } from './search.ts'
import { userRows } from './users.ts'

/** Customers, as operators find, help and stop them. */
export const operatorPeople = table({ ...searchRows, ...customerRows, ...userRows })
