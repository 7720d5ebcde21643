import { readFile } from 'node:fs/promises'

const names = [
  'sallyport-agent.service',
  'sallyport-agent-reboot.path',
  'sallyport-agent-reboot.service',
  'sallyport-agent-upgrade.path',
  'sallyport-agent-upgrade.service',
]

/** What systemd is told on a node, by the names of the files. */
export const readUnits = async (): Promise<Map<string, string>> => {
  const read = (name: string) => readFile(new URL(`units/${name}`, import.meta.url), 'utf8')
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)))
}

/** What runs the installer on a node when its agent asks for it; part of each release. */
export const readUpgradeScript = (): Promise<string> =>
  readFile(new URL('script/upgrade.sh', import.meta.url), 'utf8')
