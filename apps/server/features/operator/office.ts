import { ApiError } from '@sallyport/contract/errors'
import type { operatorOffice } from '@sallyport/contract/operator-office'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const officeHandlers: Pick<
  Handlers<typeof operatorOffice>,
  | 'listPaymentMethods'
  | 'changePaymentMethod'
  | 'showSettings'
  | 'changeSettings'
  | 'listAlerts'
  | 'resolveAlert'
  | 'listAudit'
> = {
  listPaymentMethods: unfinished,
  changePaymentMethod: unfinished,
  showSettings: unfinished,
  changeSettings: unfinished,
  listAlerts: unfinished,
  resolveAlert: unfinished,
  listAudit: unfinished,
}
