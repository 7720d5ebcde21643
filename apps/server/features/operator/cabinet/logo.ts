import { badRequest } from '@sallyport/contract/errors'
import type { LogoType, operatorCabinet } from '@sallyport/contract/operator/cabinet'
import { logoProblem } from '@sallyport/domain/brand/logo'
import { etagOf } from '@sallyport/domain/delivery/etag'
import type { Handlers } from '../../../core/call.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import { requireVersion } from '../common/versions.ts'
import { type KeptLogo, lockCabinet, readLogo, writeLogo } from './queries.ts'

/** The one picture of the operator's that every customer sees. */

const shown = ({ logo, logo_type: type, version }: KeptLogo) => ({
  type,
  image: logo && Buffer.from(logo).toString('base64'),
  bytes: logo?.length ?? 0,
  version,
})

/** The picture itself would fill a log that is for ever. */
const noted = ({ logo, logo_type: type }: KeptLogo) => ({
  type,
  bytes: logo?.length ?? 0,
  etag: logo && etagOf(logo),
})

/** Line breaks are those of whoever encoded it. */
const bytesOf = (image: string, type: LogoType): Buffer => {
  const text = image.replaceAll(/\s/g, '')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw badRequest('image', 'must be Base64')
  const problem = logoProblem(type, bytes)
  if (problem !== null) throw badRequest('image', problem)
  return bytes
}

export const cabinetLogoHandlers: Pick<
  Handlers<typeof operatorCabinet>,
  'showCabinetLogo' | 'changeCabinetLogo' | 'removeCabinetLogo'
> = {
  showCabinetLogo: async ({ db }) => shown(await readLogo(db)),

  changeCabinetLogo: ({ body: { image, type, version } }) => {
    const logo = bytesOf(image, type)
    return async (tx) => {
      await lockCabinet(tx)
      const before = await readLogo(tx)
      requireVersion(version, before, shown(before))
      await writeLogo(tx, { logo, logo_type: type })
      const after = await readLogo(tx)
      return audited(shown(after), { before: noted(before), after: noted(after) })
    }
  },

  removeCabinetLogo: () => async (tx) => {
    await lockCabinet(tx)
    const before = await readLogo(tx)
    if (!before.logo) return unchanged(shown(before))
    await writeLogo(tx, { logo: null, logo_type: null })
    const after = await readLogo(tx)
    return audited(shown(after), { before: noted(before), after: noted(after) })
  },
}
