import type { operatorStaff } from '@sallyport/contract/operator/staff/staff'
import type { Handlers } from '../../../core/call.ts'
import { operatorTokenHandlers } from './tokens.ts'

export const operatorStaffHandlers: Handlers<typeof operatorStaff> = {
  ...operatorTokenHandlers,
}
