import { api } from '../../lib/api.ts'

/** The first page is what other screens read too; who has more than that has the rest read for the one that is wanted. */
const pageSize = 20
const most = 1000

/** Of the customer's connections so many that it is among them, if it is there at all. */
export const readConfigsWith = async (id: number) => {
  const first = await api.listConfigs({ query: { limit: pageSize } })
  return first.some((one) => one.id === id) || first.length < pageSize
    ? first
    : api.listConfigs({ query: { limit: most } })
}
