import { startTelegram } from '../../e2e/support/lab/clients/mtproto.ts'
import { Internet } from '../../e2e/support/lab/internet.ts'
import type { LabProcess } from '../../e2e/support/lab/lab-process.ts'
import { Lab } from '../../e2e/support/lab/namespaces.ts'
import type { BoughtConfig } from '../../e2e/support/lab/vpn.ts'
import type { PostgresServer } from '../../test/support/databases/postgres.ts'
import { processesOf } from './cpu.ts'
import { type Engines, startByHand } from './hand.ts'
import { type Effort, measurePairs } from './measure.ts'
import { Node } from './node.ts'
import type { Offer } from './offers.ts'
import type { Row } from './report.ts'
import { type Customer, movedByHand, mtuOf, startCustomer } from './ways.ts'

export interface Options extends Effort {
  readonly offers: readonly Offer[]
  /** Customers at each port that many share, a pass for each, from few to many. */
  readonly accesses: readonly number[]
  readonly say: (text: string) => void
}

interface Sold {
  readonly offer: Offer
  readonly bought: BoughtConfig
}

interface Stage {
  readonly lab: Lab
  readonly engines: Engines
  readonly node: Node
}

const measureOne = async ({ lab, engines, node }: Stage, { offer, bought }: Sold, effort: Effort) => {
  const open: (Customer | { close(): Promise<void> })[] = []
  const stopping = (process: LabProcess) => ({ close: () => process.stop('SIGTERM') })
  try {
    open.push(stopping(await startByHand(lab, engines, await node.carried(bought), mtuOf(bought))))
    const ours = await startCustomer(lab, engines, offer, bought)
    open.push(ours)
    const theirs = await startCustomer(lab, engines, offer, movedByHand(bought))
    open.push(theirs)
    const agent = { loader: ours.loader, processes: await processesOf(lab.place('entry')) }
    const hand = { loader: theirs.loader, processes: await processesOf(lab.place('exit')) }
    return await measurePairs(agent, hand, effort)
  } finally {
    for (const one of open.reverse()) await one.close()
  }
}

const pass = async (stage: Stage, sold: readonly Sold[], accesses: number, options: Options) => {
  const rows: Row[] = []
  for (const one of sold) {
    const { name } = one.offer
    options.say(`${name}, ${accesses} at its port…`)
    const about = { offer: one.offer, accesses: one.offer.isShared ? accesses : 1 }
    const found = await measureOne(stage, one, options).then(
      (measured) => ({ ...about, ...measured }),
      (error: Error) => ({ ...about, pairs: [], failures: { agent: 0, hand: 0 }, failed: error.message }),
    )
    rows.push(found)
  }
  return rows
}

/** Everything that is sold, first with few customers on the node and then with many. */
export const runTunnels = async (
  postgres: PostgresServer,
  engines: Engines,
  options: Options,
): Promise<Row[]> => {
  const lab = await Lab.open()
  const rows: Row[] = []
  try {
    await Internet.open(lab, engines.xray)
    await startTelegram(lab)
    const node = await Node.open(lab, postgres)
    try {
      for (const [at, accesses] of options.accesses.entries()) {
        const isLast = at === options.accesses.length - 1
        if (accesses > 1) {
          options.say(`${accesses} customers at every port that many share…`)
          await node.crowd(accesses - 1)
        }
        // One's own engine has one customer however many others there are: looked at once, among all of them.
        const asked = options.offers.filter(({ isShared }) => isLast || isShared)
        const sold: Sold[] = []
        // Bought after all others: an engine that tries its customers in turn comes to this one last.
        for (const offer of asked) sold.push({ offer, bought: await node.buy(offer) })
        rows.push(...(await pass({ lab, engines, node }, sold, accesses, options)))
      }
    } finally {
      await node.close()
    }
  } finally {
    await lab.close()
  }
  return rows
}
