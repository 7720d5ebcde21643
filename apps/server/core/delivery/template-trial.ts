import { ApiError, badRequest } from '@sallyport/contract/errors'
import { trialConfigs } from '@sallyport/domain/delivery/formats/xray-trial'
import { readTemplate } from '@sallyport/domain/delivery/templates/template'
import { XrayBusy, type XrayReader } from '../../ports/xray.ts'

const busy = () =>
  new ApiError('UNAVAILABLE', [
    { path: '', problem: 'too many templates are being checked; nothing was changed, try again' },
  ])

/** Refuses an Xray template that is none. The engine, where there is one, reads it as apps will get it. */
export const requireXrayTemplate = async (xray: XrayReader, text: string, whoAsks: string): Promise<void> => {
  const read = readTemplate('xray', text)
  if ('problem' in read) throw badRequest('template', read.problem)
  const refusal = await xray.refusalOf(trialConfigs(read.template), whoAsks).catch((error: unknown) => {
    throw error instanceof XrayBusy ? busy() : error
  })
  if (refusal !== null) throw badRequest('template', `Xray refuses it: ${refusal}`)
}
