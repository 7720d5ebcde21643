/** Which servers an option is to have. */

export interface Placed {
  readonly server_id: number
  readonly index: number
}

export interface Wish {
  readonly leaving: readonly number[]
  /** In the order in which they take what is free. */
  readonly joining: readonly number[]
}

export const noWish: Wish = { leaving: [], joining: [] }

export const idsAfter = (servers: readonly Placed[], { leaving, joining }: Wish): readonly number[] => {
  const kept = servers.map(({ server_id: id }) => id).filter((id) => !leaving.includes(id))
  return [...kept, ...joining.filter((id) => !kept.includes(id))]
}

/** Those that stay keep their index; the others take the lowest that are free. */
export const indexesOf = (servers: readonly Placed[], { leaving, joining }: Wish): readonly number[] => {
  const taken = new Set(
    servers.filter(({ server_id: id }) => !leaving.includes(id)).map(({ index }) => index),
  )
  return joining.map(() => {
    let index = 0
    while (taken.has(index)) index++
    taken.add(index)
    return index
  })
}

/** What is still wanted of it, server by server. */
export const partOf = ({ leaving, joining }: Wish, ids: readonly number[]): Wish => ({
  leaving: leaving.filter((id) => ids.includes(id)),
  joining: joining.filter((id) => ids.includes(id)),
})
