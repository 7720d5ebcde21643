import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator-money'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const promocodeHandlers: Pick<
  Handlers<typeof operatorMoney>,
  'issuePromocodes' | 'listIssuedPromocodes' | 'revokePromocode'
> = {
  issuePromocodes: unfinished,
  listIssuedPromocodes: unfinished,
  revokePromocode: unfinished,
}
