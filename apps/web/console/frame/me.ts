import type { DataOf } from '@sallyport/contract/operation'
import type { RowsFor } from '@sallyport/contract/tables'
import type { Operation } from '@sallyport/domain/console/pages'
import { resource } from '../../lib/resource.ts'
import { api } from '../api.ts'

/** Who is signed in, and what they may call. */

export type Me = DataOf<RowsFor<'operator'>['showMe']>

export const readMe = () => resource('me', () => api.showMe())

/** What may not be called is not drawn. */
export const may = (name: Operation): boolean => readMe().data.value?.operations.includes(name) ?? false
