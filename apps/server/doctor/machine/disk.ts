import { dirname } from 'node:path'
import { readDataDirectory } from '../database/queries.ts'
import { bytesText, type Finding, ok, problem, skipped, warning } from '../finding.ts'
import { type Check, DatabaseAway, type FileSystem, type Subject } from '../subject.ts'

/** Free space where the service writes, and where a database on this machine does. */

const gigabyte = 1024 ** 3

export const judgeDisk = (what: string, path: string, disk: FileSystem): readonly Finding[] => {
  const findings: Finding[] = []
  const share = disk.freeBytes / Math.max(1, disk.bytes)
  const advice = `Make room: du -xh ${path} | sort -h | tail. A full disk stops the database and loses letters and logs.`
  const text = `${bytesText(disk.freeBytes)} of ${bytesText(disk.bytes)} are free for ${what} (${path})`
  if (disk.freeBytes < gigabyte || share < 0.03) findings.push(problem(text, advice))
  else if (disk.freeBytes < 5 * gigabyte || share < 0.1) findings.push(warning(text, advice))
  const inodeShare = disk.inodes === 0 ? 1 : disk.freeInodes / disk.inodes
  if (inodeShare < 0.1) {
    const few = `${disk.freeInodes} of ${disk.inodes} inodes are free for ${what} (${path})`
    const many = `Delete what is in many small files: du -x --inodes ${path} | sort -n | tail.`
    findings.push(inodeShare < 0.03 ? problem(few, many) : warning(few, many))
  }
  return findings.length > 0 ? findings : [ok(text)]
}

export const isHere = (databaseUrl: string | undefined): boolean => {
  if (!databaseUrl) return false
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  return host === '' || host.startsWith('/') || /^(localhost|127\.|\[?::1)/.test(host)
}

/** Of a folder that is not there yet, the nearest above it. */
const fileSystemOf = async (subject: Subject, path: string): Promise<FileSystem | undefined> => {
  try {
    return await subject.machine.fileSystem(path)
  } catch (error) {
    const above = dirname(path)
    if ((error as { code?: string }).code !== 'ENOENT' || above === path) return undefined
    return fileSystemOf(subject, above)
  }
}

const placesOf = async (subject: Subject): Promise<[string, string][]> => {
  const places: [string, string][] = [['DATA_DIR', subject.config.dataDir]]
  if (!isHere(subject.config.databaseUrl)) return places
  try {
    const folder = await subject.read(readDataDirectory)
    if (folder !== undefined) places.push(['the database', folder])
  } catch (error) {
    if (!(error instanceof DatabaseAway)) throw error
  }
  return places
}

export const diskCheck: Check = {
  name: 'disk',
  about: 'free space and inodes of DATA_DIR, and of a database on this machine',
  run: async (subject) => {
    const places = await placesOf(subject)
    const found = await Promise.all(
      places.map(async ([what, path]) => {
        const disk = await fileSystemOf(subject, path)
        return disk ? judgeDisk(what, path, disk) : [skipped(`${path} may not be looked at from here`)]
      }),
    )
    return found.flat()
  },
}
