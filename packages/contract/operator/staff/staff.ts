import { table } from '../../operation.ts'
import { operatorAuthRows } from './auth.ts'
import { operatorRows } from './operators.ts'
import { operatorTokenRows } from './tokens.ts'

/** Operators themselves, how they come in, and what their programs come with. */
export const operatorStaff = table({ ...operatorRows, ...operatorTokenRows, ...operatorAuthRows })
