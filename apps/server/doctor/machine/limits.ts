import { bytesText, type Finding, ok, problem, skipped, warning } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'

/** How many files the service may open, and how much memory is left. */

/** What the service keeps for the database and the like. */
const keptFiles = 256

export const readOpenFilesLimit = (limits: string): number | undefined => {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1]
  if (soft === undefined) return undefined
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
}

export const judgeOpenFiles = (at: {
  readonly limit: number
  readonly maxConnections: number
  /** Whether it is the service's own limit, or that of whoever runs this. */
  readonly isOfService: boolean
}): Finding => {
  const { limit, maxConnections, isOfService } = at
  const whose = isOfService ? 'the service' : 'a process that is started from here'
  const wanted = maxConnections + keptFiles
  const text = `${whose} may open ${limit === Number.POSITIVE_INFINITY ? 'any number of' : limit} files`
  if (limit >= wanted) return ok(text)
  return warning(
    `${text}: fewer callers than MAX_CONNECTIONS=${maxConnections} fit`,
    'LimitNOFILE=65536 in the unit of the service (or ulimit -n 65536), and start it again.',
  )
}

export const openFilesCheck: Check = {
  name: 'open-files',
  about: 'how many files the service may open',
  run: ({ machine, config }) => {
    const pid = machine.listener(config.port)
    const limits = machine.readFile(`/proc/${pid ?? 'self'}/limits`) ?? machine.readFile('/proc/self/limits')
    const limit = limits === undefined ? undefined : readOpenFilesLimit(limits)
    if (limit === undefined) return [skipped('this system does not tell')]
    const { maxConnections } = config.load
    return [judgeOpenFiles({ limit, maxConnections, isOfService: pid !== undefined })]
  },
}

interface Memory {
  readonly bytes: number
  readonly availableBytes: number
}

export const readMemory = (meminfo: string): Memory | undefined => {
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1]) * 1024
  const [bytes, availableBytes] = [read('MemTotal'), read('MemAvailable')]
  return Number.isNaN(bytes + availableBytes) ? undefined : { bytes, availableBytes }
}

export const judgeMemory = ({ bytes, availableBytes }: Memory): Finding => {
  const share = availableBytes / bytes
  const text = `${bytesText(availableBytes)} of ${bytesText(bytes)} are available`
  const advice =
    'See who takes it (ps aux --sort=-rss | head), or take a larger machine (docs/operations.md).'
  if (share < 0.04) return problem(text, advice)
  return share < 0.1 ? warning(text, advice) : ok(text)
}

const memoryOf = ({ machine }: Subject): Memory | undefined =>
  readMemory(machine.readFile('/proc/meminfo') ?? '')

export const memoryCheck: Check = {
  name: 'memory',
  about: 'how much memory is left on this machine',
  run: (subject) => {
    const memory = memoryOf(subject)
    return [memory ? judgeMemory(memory) : skipped('this system does not tell')]
  },
}
