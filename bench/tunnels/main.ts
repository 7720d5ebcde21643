import { parseArgs } from 'node:util'
import { Internet } from '../../e2e/support/lab/internet.ts'
import { startTelegram } from '../../e2e/support/lab/clients/mtproto.ts'
import { Lab } from '../../e2e/support/lab/namespaces.ts'
import { startPostgres } from '../../test/support/databases/postgres.ts'
import { enginePath } from '../../test/support/pieces.ts'
import { startByHand } from './hand.ts'
import { measurePairs } from './measure.ts'
import { Node } from './node.ts'
import { offers } from './offers.ts'
import { processesOf } from './cpu.ts'
import { compare, costs, measures } from './statistics.ts'
import { movedByHand, mtuOf, startCustomer } from './ways.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '0.15' }, crowd: { type: 'string', default: '0' } } })
const engines = {
  xray: enginePath('xray', 'SALLYPORT_XRAY') ?? '',
  awg: enginePath('amneziawg-go', 'SALLYPORT_AMNEZIAWG') ?? '',
  mtg: enginePath('mtg', 'SALLYPORT_MTG') ?? '',
}
const postgres = await startPostgres()
if (!postgres) throw new Error()
const stay = setInterval(() => undefined, 1000)
const lab = await Lab.open()
try {
  await Internet.open(lab, engines.xray)
  await startTelegram(lab)
  const node = await Node.open(lab, postgres)
  if (values.crowd !== '0') {
    console.time('crowd')
    await node.crowd(Number(values.crowd))
    console.timeEnd('crowd')
  }
  for (const offer of offers.filter(({ name }) => !values.only || new RegExp(values.only).test(name))) {
    try {
    const bought = await node.buy(offer)
    const carried = await node.carried(bought)
    const hand = await startByHand(lab, engines, carried, mtuOf(bought))
    const a = await startCustomer(lab, engines, offer, bought)
    const b = await startCustomer(lab, engines, offer, movedByHand(bought))
    const pairs = await measurePairs({ loader: a.loader, processes: await processesOf(lab.place('entry')) }, { loader: b.loader, processes: await processesOf(lab.place('exit')) }, { rounds: Number(values.rounds), seconds: Number(values.seconds) })
    console.log(offer.name, [...measures, ...costs].map((m) => { const c = compare(m, pairs); return `${m} ${c.ratio.toFixed(2)} (${c.from.toFixed(2)}-${c.to.toFixed(2)}) ${c.agent.toFixed(1)}/${c.hand.toFixed(1)}` }).join('  '))
    await a.close(); await b.close(); await hand.stop('SIGTERM')
    } catch (e) { console.log(offer.name, e) }
  }
  await node.close()
} finally {
  await lab.close()
  await postgres.stop()
  clearInterval(stay)
}
