/** Vitest loads a set-up once for each project that names it; all of them share what it made. */

interface Shared<T> {
  users: number
  readonly made: Promise<T>
}
const holder = globalThis as { [key: symbol]: Shared<unknown> | undefined }

/** `leave` ends it when the last project has left. */
export const oncePerRun = async <T>(
  name: string,
  make: () => Promise<T>,
  end: (made: T) => Promise<void>,
): Promise<{ made: T; leave: () => Promise<void> }> => {
  const key = Symbol.for(`sallyport.test.${name}`)
  const shared = (holder[key] as Shared<T> | undefined) ?? { users: 0, made: make() }
  holder[key] = shared
  shared.users += 1
  const made = await shared.made
  const leave = async () => {
    shared.users -= 1
    if (shared.users > 0) return
    holder[key] = undefined
    await end(made)
  }
  return { made, leave }
}
