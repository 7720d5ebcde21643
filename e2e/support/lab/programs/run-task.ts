/** What a program of the lab does: its argument as a task, its answer on standard output, the reason when there is none. */
export const runTask = async <T extends { readonly timeoutMs: number }>(
  perform: (task: T) => Promise<unknown>,
  nameOf: (task: T) => string,
): Promise<never> => {
  const task = JSON.parse(process.argv[2] ?? '{}') as T
  setTimeout(() => {
    console.error(`Nothing came of ${nameOf(task)} in ${task.timeoutMs} ms`)
    process.exit(1)
  }, task.timeoutMs).unref()
  try {
    console.log(JSON.stringify(await perform(task)))
    process.exit(0)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
