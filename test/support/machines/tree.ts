import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { distributionOf, ownRelease } from './distribution.ts'
import { madeOnce } from './made-once.ts'

/** A Debian, or an Ubuntu, as clouds hand it out, made once and kept outside of the clone; machines are made of it. */

const run = promisify(execFile)

/** What an image for clouds has of what matters here. */
const packages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'libpam-systemd', 'udev', 'kmod', 'procps'],
  ...['cloud-init', 'ca-certificates', 'curl', 'iproute2', 'nftables'],
  // Of cloud-init's, which debootstrap does not find under the name that is asked for.
  'python3-cffi-backend',
]

/** Networks are made before the machine is, and the seed is a folder. */
const cloudConfig = `datasource_list: [NoCloud]
network: {config: disabled}
locale: false
`
const recipe = 1

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')

/** Its last words, and what a person can do about them. */
const remedy = (
  { stdout = '', stderr = '' }: { stdout?: string; stderr?: string },
  mirror: string,
): string => {
  const words = [...stdout.split('\n'), ...stderr.split('\n')].filter((line) => /^[EW]: /.test(line))
  return (
    `debootstrap could not make a Debian for machines: ${words.slice(-3).join(' ') || 'it gave no reason'}\n` +
    `Look whether ${mirror} answers and 1 GB of disk is free, then run "npm run tests:prepare" again; ` +
    'SALLYPORT_TEST_WITHOUT=machines leaves the tests that need it out.'
  )
}

const make = async (folder: string, release: string): Promise<void> => {
  const { mirror, options, script } = await distributionOf(release)
  const args = [
    ...['--variant=minbase', `--include=${packages.join(',')}`, ...options],
    ...[release, folder, mirror, ...script],
  ]
  const env = {
    ...process.env,
    PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`,
    DEBIAN_FRONTEND: 'noninteractive',
  }
  await run('debootstrap', args, { env, maxBuffer: 64 * 1024 * 1024 }).catch((error) => {
    throw new Error(remedy(error, mirror))
  })
  await writeFile(join(folder, 'etc/cloud/cloud.cfg.d/99-machine.cfg'), cloudConfig)
  await rm(join(folder, 'var/cache/apt/archives'), { recursive: true, force: true })
  await mkdir(join(folder, 'var/cache/apt/archives/partial'), { recursive: true })
}

/** The folder of the tree, of this machine's own release of Debian unless another, or one of Ubuntu, is asked for. `npm run tests:prepare` makes it before anything waits for it. */
export const machineTree = async (wanted?: string): Promise<string> => {
  const release = wanted ?? (await ownRelease())
  const key = createHash('sha256')
    .update(JSON.stringify([release, packages, cloudConfig, recipe]))
    .digest('hex')
    .slice(0, 12)
  return madeOnce(join(cache, 'sallyport', 'machines', `${release}-${key}`), (folder) =>
    make(folder, release),
  )
}
