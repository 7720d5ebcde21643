import { readFile } from 'node:fs/promises'

const names = ['sallyport-agent.service', 'sallyport-agent-reboot.path', 'sallyport-agent-reboot.service']

/** What systemd is told on a node, by the names of the files. */
export const readUnits = async (): Promise<Map<string, string>> => {
  const read = (name: string) => readFile(new URL(`units/${name}`, import.meta.url), 'utf8')
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)))
}
