import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'

/** What is priced for itself. */

export type Option = Awaited<ReturnType<typeof api.listOptions>>[number]
export type CloudConfiguration = Awaited<ReturnType<typeof api.listCloudConfigurations>>[number]

export const useOptions = () => useResource('paid-options', () => api.listOptions({}))

export const useCloudConfigurations = () =>
  useResource('cloud-configurations', () => api.listCloudConfigurations({}))

/** A list with one row as it is now. */
export const withRow = <T extends { readonly id: number }>(rows: readonly T[], changed: T): T[] =>
  rows.some(({ id }) => id === changed.id)
    ? rows.map((row) => (row.id === changed.id ? changed : row))
    : [...rows, changed]
