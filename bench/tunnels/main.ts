import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/databases/postgres.ts'
import { enginePath } from '../../test/support/pieces.ts'
import { offers } from './offers.ts'
import { replaceFigures, tunnelsReport } from './report.ts'
import { runTunnels } from './run.ts'

const help = `npm run tunnels -- [options]

Each protocol that is sold, through the agent and through the same engine started by hand with the least that carries one user:
the same clients, in turns. Needs root, network namespaces, nftables, PostgreSQL and the engines (npm run engines:install).

  --only NAMES     of the offers, by a part of their names: "VLESS, REALITY",MTProto
  --accesses N,…   customers at every port that many share, a pass for each (1,2000)
  --rounds N       pairs of turns (12)
  --seconds N      of each measure in a turn (0.15)
  --quick          one customer, three short rounds: to see that everything runs
  --write FILE     puts the tables between the lines <!-- tunnels --> and <!-- /tunnels --> of a document`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    accesses: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    write: { type: 'string' },
  },
})

const engine = (name: string, variable: string): string => {
  const path = enginePath(name, variable)
  if (path === null) throw new Error(`${name} is not on this machine: npm run engines:install`)
  return path
}

const run = async (): Promise<void> => {
  const engines = {
    xray: engine('xray', 'SALLYPORT_XRAY'),
    awg: engine('amneziawg-go', 'SALLYPORT_AMNEZIAWG'),
    mtg: engine('mtg', 'SALLYPORT_MTG'),
  }
  const isQuick = values.quick
  const effort = {
    rounds: Number(values.rounds ?? (isQuick ? 3 : 12)),
    seconds: Number(values.seconds ?? (isQuick ? 0.1 : 0.15)),
  }
  const named = values.only?.toLowerCase().split(',')
  const chosen = offers.filter(
    ({ name }) => !named || named.some((part) => name.toLowerCase().includes(part)),
  )
  const accesses = (values.accesses ?? (isQuick ? '1' : '1,2000')).split(',').map(Number)
  const postgres = await startPostgres()
  if (!postgres) throw new Error('The measurement needs PostgreSQL (initdb and postgres) on this machine.')
  try {
    const say = (text: string): void => console.error(text)
    const rows = await runTunnels(postgres, engines, { ...effort, offers: chosen, accesses, say })
    const { report, isGood } = tunnelsReport(rows, effort)
    console.log(`\n${report}\n`)
    if (values.write) {
      writeFileSync(values.write, replaceFigures(readFileSync(values.write, 'utf8'), report))
    }
    if (!isGood && !isQuick) process.exitCode = 1
  } finally {
    await postgres.stop()
  }
}

if (values.help) console.log(help)
else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  await run()
}
