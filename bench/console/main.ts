import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/databases/postgres.ts'
import { runConsole } from './run.ts'

const help = `npm run bench:console -- [options]

How long an operator waits for the screens of the console, in Chromium, over PostgreSQL with a million customers.

  --customers N  (1000000)
  --orders N     (1000000)
  --rounds N     visits of each screen after the first (7)
  --quick        small and short, to see that everything runs`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    customers: { type: 'string' },
    orders: { type: 'string' },
    rounds: { type: 'string' },
  },
})

const run = async (): Promise<void> => {
  const usual = values.quick ? 10_000 : 1_000_000
  const options = {
    customers: Number(values.customers ?? usual),
    orders: Number(values.orders ?? usual),
    rounds: Number(values.rounds ?? (values.quick ? 2 : 7)),
  }
  const postgres = await startPostgres()
  if (!postgres) throw new Error('The measurement needs PostgreSQL (initdb and postgres) on this machine.')
  try {
    const { report, isGood } = await runConsole(postgres.url, options, (text) => console.error(text))
    console.log(`\n${report}\n`)
    if (!isGood && !values.quick) process.exitCode = 1
  } finally {
    await postgres.stop()
  }
}

if (values.help) console.log(help)
else await run()
