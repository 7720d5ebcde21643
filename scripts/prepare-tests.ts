import { packageDepot } from '../test/support/machines/depot.ts'
import { installKit } from '../test/support/machines/kit.ts'
import { machineTree } from '../test/support/machines/tree.ts'
import { machines } from '../test/support/pieces.ts'
import { taskOf } from './build-engines.ts'
import { engines, testEngines } from './engine-list.ts'
import { buildLanes, inLanes, report } from './tasks.ts'

/** Everything that tests need and that is made once for a machine, so that no test waits for it. */

const tree = { name: 'a Debian for machines', work: machineTree }
const depot = { name: 'packages for these', work: packageDepot }
const kit = { name: 'what the installer hands out', work: installKit }

const builds = inLanes([...engines, ...testEngines].map(taskOf), buildLanes)
// It loads and unpacks while the compiler computes.
const trees = inLanes(machines.find() === null ? [] : [tree, depot], 1)
if (machines.find() === null) console.log(`no Debian for machines is made: ${machines.enable}`)
const beside = (await Promise.all([builds, trees])).flat()
const took = [...beside, ...(await inLanes([kit], 1))]

console.log('\nside by side, but for the last:')
for (const { name, seconds } of took) console.log(`${String(seconds).padStart(5)} s    ${name}`)
report(took)
