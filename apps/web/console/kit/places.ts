import { language } from '../../lib/language.ts'
import { useResource } from '../../lib/resource.ts'
import { api } from '../api.ts'

/** Locations by number, as every list of machines names them. */
export const useLocations = () => {
  const locations = useResource('locations', () => api.listAllLocations({}))
  const nameOf = (id: number | null): string => {
    const found = locations.data.value?.find((one) => one.id === id)
    if (!found) return id === null ? '–' : `${id}`
    return language === 'ru' ? found.title_ru : found.title_en
  }
  return { locations, nameOf }
}

/** Nodes by number. */
export const useNodes = () => {
  const nodes = useResource('nodes', () => api.listNodes({}))
  const nodeNameOf = (id: number): string => nodes.data.value?.find((one) => one.id === id)?.name ?? `${id}`
  return { nodes, nodeNameOf }
}
