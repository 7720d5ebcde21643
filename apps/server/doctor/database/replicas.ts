import { bytesText, counted, type Finding, lasting, ok, problem, skipped, warning } from '../finding.ts'
import { type Check, isProduction } from '../subject.ts'
import { type Replica, type Replication, readReplication, readVersion, type Slot } from './queries.ts'

/** Copies of the database that follow it, and what they hold back. */

const megabyte = 1024 ** 2

const judgeReplica = ({ name, state, lagSeconds, lagBytes }: Replica): Finding[] => {
  const seconds = lagSeconds ?? 0
  const bytes = lagBytes ?? 0
  const text = `${name} is ${lasting(seconds)} and ${bytesText(Math.max(0, bytes))} behind (${state})`
  const advice = `See its disk, its net and the log of PostgreSQL there: a failover to it loses what it has not got.`
  if (state !== 'streaming') {
    return [
      warning(
        `${name} does not stream (${state})`,
        'It catches up or is stuck: read the log of PostgreSQL there.',
      ),
    ]
  }
  if (seconds > 300 || bytes > 1024 * megabyte) return [problem(text, advice)]
  return seconds > 30 || bytes > 64 * megabyte ? [warning(text, advice)] : []
}

const judgeSlot = ({ name, isActive, status, heldBytes }: Slot): Finding[] => {
  const drop = `Start the replica that uses it, or select pg_drop_replication_slot('${name}');`
  if (status === 'lost' || status === 'unreserved') {
    return [problem(`slot ${name} has lost what it needs (${status})`, `Make its replica anew. ${drop}`)]
  }
  if (isActive) return []
  const text = `nobody uses slot ${name}, and it holds ${bytesText(heldBytes)} of the log back`
  return [heldBytes > 1024 * megabyte ? problem(text, drop) : warning(text, drop)]
}

export const judgeReplication = ({ awaited, replicas, slots }: Replication): readonly Finding[] => {
  const findings = [...replicas.flatMap(judgeReplica), ...slots.flatMap(judgeSlot)]
  if (awaited !== '' && !replicas.some(({ isSynchronous }) => isSynchronous)) {
    findings.push(
      problem(
        `commits wait for ${awaited}, and no such replica is there: nobody can buy`,
        "Bring the replica back, or alter system set synchronous_standby_names = ''; select pg_reload_conf();",
      ),
    )
  }
  if (findings.length > 0) return findings
  if (replicas.length === 0) return [skipped('no replica follows this database')]
  const most = Math.max(...replicas.map(({ lagSeconds }) => lagSeconds ?? 0))
  return [ok(`${counted(replicas.length, 'replica')}, at most ${lasting(most)} behind`)]
}

export const replicasCheck: Check = {
  name: 'replicas',
  about: 'how far replicas are behind, and slots that hold the log back',
  run: async (subject) => {
    if (!isProduction(subject)) return [skipped('the embedded database has none')]
    return subject.read(async (tx) => {
      if ((await readVersion(tx)).isReplica) return [skipped('this is a replica itself')]
      const replication = await readReplication(tx)
      if (replication.replicas.some(({ state }) => state === null)) {
        return [skipped('the role may not look at replicas; grant pg_monitor to it if it should')]
      }
      return judgeReplication(replication)
    })
  },
}
