import type { RedisFacts } from '../../ports/limiter.ts'
import { bytesText, type Finding, orElse, problem, skipped, warning } from '../finding.ts'
import { type Check, DatabaseAway, type Subject } from '../subject.ts'
import { countInstances } from './queries.ts'

/** Redis counts limits for all instances together; without it each counts by itself. */

const oldestVersion = 6

export const judgeRedis = (facts: RedisFacts): readonly Finding[] => {
  const { version, role, usedBytes, maxBytes, policy, millis } = facts
  const findings: Finding[] = []
  if (role !== 'master') {
    findings.push(
      problem(
        'REDIS_URL leads to a replica, which takes no writes: limits are not shared',
        'Lead REDIS_URL to the master.',
      ),
    )
  }
  if (Number.parseInt(version, 10) < oldestVersion) {
    findings.push(warning(`Redis ${version} is older than ${oldestVersion}`, 'Upgrade it.'))
  }
  if (maxBytes > 0 && policy.startsWith('allkeys')) {
    findings.push(
      warning(
        `maxmemory-policy ${policy} throws counters away when memory is short: limits let more through`,
        'redis-cli config set maxmemory-policy volatile-ttl, and the same in redis.conf.',
      ),
    )
  }
  if (maxBytes > 0 && usedBytes > 0.9 * maxBytes) {
    const text = `${bytesText(usedBytes)} of ${bytesText(maxBytes)} are used`
    findings.push(
      policy === 'noeviction'
        ? problem(`${text}, and then Redis refuses to count`, 'Raise maxmemory.')
        : warning(text, 'Raise maxmemory.'),
    )
  }
  if (millis > 100) {
    findings.push(
      warning(
        `answers in ${Math.round(millis)} ms; from 250 ms on instances count by themselves`,
        'Bring Redis nearer to the service, or see what else it does.',
      ),
    )
  }
  return orElse(findings, `Redis ${version} answers in ${Math.max(1, Math.round(millis))} ms (${policy})`)
}

const instancesOf = async (subject: Subject): Promise<number> => {
  try {
    return await subject.read(countInstances)
  } catch (error) {
    if (error instanceof DatabaseAway) return 0
    throw error
  }
}

export const redisCheck: Check = {
  name: 'redis',
  about: 'Redis answers, is new enough, and keeps its counters',
  run: async (subject) => {
    if (!subject.redis) {
      const instances = await instancesOf(subject)
      if (instances < 2) return [skipped('REDIS_URL is not set; one instance needs none')]
      return [
        warning(
          `${instances} instances run and REDIS_URL is not set: each lets as much through as all should together`,
          'Set REDIS_URL on all of them.',
        ),
      ]
    }
    try {
      return judgeRedis(await subject.redis())
    } catch (error) {
      return [
        problem(
          `does not answer: ${(error as Error).message}`,
          'See whether Redis runs and REDIS_URL names it and its password. Meanwhile each instance counts by itself.',
        ),
      ]
    }
  },
}
