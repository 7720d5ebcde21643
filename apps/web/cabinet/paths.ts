import type { CabinetPath } from '@sallyport/domain/cabinet/pages'
import { pathsOf } from '../lib/path.ts'

/** The address of a page. */
export const to = pathsOf<CabinetPath>()
