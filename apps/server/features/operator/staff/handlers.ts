import type { operatorStaff } from '@sallyport/contract/operator/staff/staff'
import type { Handlers } from '../../../core/call.ts'
import { operatorHandlers } from './operators.ts'
import { operatorPasskeyHandlers } from './passkeys.ts'
import { savedViewHandlers } from './saved-views.ts'
import { signingInHandlers } from './signing-in.ts'
import { operatorTokenHandlers } from './tokens.ts'

export const operatorStaffHandlers: Handlers<typeof operatorStaff> = {
  ...operatorHandlers,
  ...operatorTokenHandlers,
  ...operatorPasskeyHandlers,
  ...signingInHandlers,
  ...savedViewHandlers,
}
