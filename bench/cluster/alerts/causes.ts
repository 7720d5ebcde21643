import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { emptyReport, signNodeToken } from '../../../test/support/node.ts'
import { until } from '../parts/program.ts'
import type { Cause, End } from './stage.ts'
import { endingCertificate, forgottenTransaction, wrongBooks } from './tables.ts'
import { dataFolder, noteBackup } from './watch.ts'

/** What makes each rule fire. */

/** Again and again until it is ended. */
const repeated = (once: () => Promise<void>): End => {
  let isOver = false
  const work = async () => {
    while (!isOver) await once().catch(() => sleep(500))
  }
  const working = work()
  return async () => {
    isOver = true
    await working
  }
}

const instanceKilled: Cause = {
  title: 'an instance killed',
  alerts: ['SallyportInstanceDown'],
  begin: async ({ instance, env }) => {
    await instance.kill()
    return async () => {
      await instance.start(env)
    }
  },
}

/** The instance looks at certificates every ten minutes, and when it starts. */
const certificateEnds: Cause = {
  title: 'a server’s certificate ends in three days',
  alerts: ['SallyportCertificateEnding'],
  begin: async ({ connect }) => {
    const client = await connect()
    const ids = await client.query(
      `update servers set certificate = $1, is_certificate_public = true
       where id = (select min(id) from servers where state <> 'retired' and owner_term_id is null) returning id`,
      [endingCertificate(3)],
    )
    await client.end()
    if (ids.rowCount !== 1) throw new Error('There is no server')
    return async () => undefined
  },
}

const databaseGone: Cause = {
  title: 'both PostgreSQLs killed with their machines',
  alerts: ['SallyportDatabaseDown', 'SallyportErrors', 'SallyportOperationErrors'],
  begin: async ({ cluster }) => {
    const { patroni } = cluster
    await Promise.all(patroni.members.map((member) => member.kill()))
    return async () => {
      for (const member of patroni.members) member.start()
      await until('a primary and its standby', async () => (await patroni.standby('sync')) !== undefined, 180)
      await cluster.untilPrimary()
    }
  },
}

const redisGone: Cause = {
  title: 'Redis and its copy killed',
  alerts: ['SallyportRedisAway'],
  begin: async ({ cluster: { sentinels } }) => {
    for (const { program } of sentinels.servers) await program.kill()
    return async () => {
      for (const { program } of sentinels.servers) program.start()
    }
  },
}

const agentsCut: Cause = {
  title: 'all agents but one cut off',
  alerts: ['SallyportAgentsAway'],
  begin: async ({ run: { agents } }) => {
    agents.isCut = true
    return async () => {
      agents.isCut = false
    }
  },
}

/** It has been given something new, and goes on telling that it has what it had. */
const nodeBehind: Cause = {
  title: 'an agent reports and applies nothing',
  alerts: ['SallyportNodesBehind'],
  begin: async ({ lone, instance, connect }) => {
    const { node } = lone
    await lone.stop()
    const client = await connect()
    await client.query('update nodes set desired_revision = desired_revision + 1 where id = $1', [
      node.nodeId,
    ])
    await client.end()
    const stop = repeated(async () => {
      const token = await signNodeToken(node.nodeId, node.key)
      await fetch(`http://127.0.0.1:${instance.port}/agent/v1/report`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...emptyReport, applied_revision: node.revision }),
      })
      await sleep(3000)
    })
    return async () => {
      await stop()
      lone.start()
    }
  },
}

/** Patroni would go on with a replay that is merely paused. */
const standbyStopped: Cause = {
  title: 'the standby’s replay stopped (SIGSTOP)',
  alerts: ['SallyportReplicaLag'],
  begin: async ({ standby }) => {
    const found = spawnSync('pgrep', ['-P', String(standby.postgresPid), '-f', 'startup'], {
      encoding: 'utf8',
    })
    const pid = Number(found.stdout)
    if (!pid) throw new Error('Nothing replays on the standby')
    process.kill(pid, 'SIGSTOP')
    return async () => {
      process.kill(pid, 'SIGCONT')
    }
  },
}

const diskFull: Cause = {
  title: 'DATA_DIR’s disk 97 % full',
  alerts: ['SallyportDiskFull'],
  begin: async ({ cluster, instance }) => {
    const file = join(dataFolder(cluster, instance.port), 'filler')
    writeFileSync(file, Buffer.alloc(31 * 2 ** 20))
    return async () => rmSync(file)
  },
}

const backupOld: Cause = {
  title: 'the last backup is two days old',
  alerts: ['SallyportBackupOld'],
  begin: async ({ cluster }) => {
    noteBackup(cluster, 2 * 86_400)
    return async () => noteBackup(cluster)
  },
}

/** Whoever buys waits for it, and keeps a connection meanwhile. */
const lockedInTurns: Cause = {
  title: 'somebody locks the orders, 1.8 s at a time, with 60 requests a second',
  alerts: ['SallyportSlow', 'SallyportDatabaseLine', 'SallyportRefused'],
  begin: async ({ connect, run: { traffic } }) => {
    const client = await connect()
    const more = new AbortController()
    const arriving = traffic.arriveUntil(50, more.signal)
    const stop = repeated(async () => {
      await client.query('begin; lock table orders in exclusive mode')
      await sleep(1800)
      await client.query('commit')
      await sleep(100)
    })
    return async () => {
      more.abort()
      await Promise.all([arriving, stop()])
      await client.end()
    }
  },
}

/** Nine tenths of every second its processor is somebody else’s. */
const noProcessor: Cause = {
  title: 'an instance that gets a tenth of a processor, and 500 customers at once',
  alerts: ['SallyportEventLoopSlow'],
  begin: async ({ instance: { program }, run: { traffic } }) => {
    let isOver = false
    const crowd = async () => {
      while (!isOver) await traffic.crowd(500, 1)
    }
    const crowding = crowd()
    const stop = repeated(async () => {
      process.kill(program.pid, 'SIGSTOP')
      await sleep(900)
      process.kill(program.pid, 'SIGCONT')
      await sleep(100)
    })
    return async () => {
      isOver = true
      await stop()
      await crowding
    }
  },
}

/** What goes on together, one after another. */
export const rounds: readonly (readonly Cause[])[] = [
  [certificateEnds, instanceKilled],
  [lockedInTurns],
  [redisGone, agentsCut, nodeBehind, standbyStopped, diskFull, backupOld],
  [databaseGone],
  [noProcessor],
]

/** At the end, when nobody buys any more. */
export const lastRounds: readonly (readonly Cause[])[] = [[forgottenTransaction], [wrongBooks]]
