import { table } from '../../operation.ts'
import { operatorTokenRows } from './tokens.ts'

/** Operators themselves, and what they come with. */
export const operatorStaff = table({ ...operatorTokenRows })
