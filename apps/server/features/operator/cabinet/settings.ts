import { ApiError, type Problem } from '@sallyport/contract/errors'
import type { operatorCabinet } from '@sallyport/contract/operator/cabinet'
import { mirrorProblem } from '@sallyport/domain/brand/mirror'
import { accentProblem, enough } from '@sallyport/domain/brand/palette'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { requireVersion } from '../common/versions.ts'
import { type CabinetChanges, lockCabinet, readSettings, writeSettings } from './queries.ts'

/** How the cabinet looks, and what it says of the service. */

/** Never rounded up to what would have been enough. */
const told = (contrast: number): string => (Math.floor(contrast * 100) / 100).toFixed(2)

const accentProblems = (accent: string | null | undefined): Problem[] => {
  const problem = accent ? accentProblem(accent) : null
  if (!problem) return []
  const has = `has a contrast of ${told(problem.contrast)} to 1 on light pages, and text needs ${enough}`
  return [{ path: 'accent', problem: `${has}: the nearest that has it is ${problem.nearest}` }]
}

const mirrorProblems = (mirrors: readonly string[] = [], publicUrl: string): Problem[] =>
  mirrors.flatMap((mirror, at) => {
    const problem = mirrorProblem(mirror, publicUrl)
    return problem === null ? [] : [{ path: `mirrors.${at}`, problem }]
  })

const check = (given: Partial<CabinetChanges>, publicUrl: string): void => {
  const problems = [...accentProblems(given.accent), ...mirrorProblems(given.mirrors, publicUrl)]
  if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
}

export const cabinetSettingHandlers: Pick<
  Handlers<typeof operatorCabinet>,
  'showCabinetSettings' | 'changeCabinetSettings'
> = {
  showCabinetSettings: ({ db }) => readSettings(db),

  changeCabinetSettings: ({ publicUrl, body: { version, accent, ...others } }) => {
    const changes = { ...others, ...(accent !== undefined && { accent: accent?.toLowerCase() ?? null }) }
    check(changes, publicUrl())
    return async (tx) => {
      await lockCabinet(tx)
      const before = await readSettings(tx)
      requireVersion(version, before)
      await writeSettings(tx, changes)
      const after = await readSettings(tx)
      return audited(after, { before, after })
    }
  },
}
