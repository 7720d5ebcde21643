import { table } from '../../operation.ts'
import { operatorAuthRows } from './auth.ts'
import { operatorRows } from './operators.ts'
import { savedViewRows } from './saved-views.ts'
import { operatorTokenRows } from './tokens.ts'

/** Operators themselves, how they come in, what their programs come with, and how they look at lists. */
export const operatorStaff = table({
  ...operatorRows,
  ...operatorTokenRows,
  ...operatorAuthRows,
  ...savedViewRows,
})
