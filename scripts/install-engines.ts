import { taskOf } from './build-engines.ts'
import { engines, testEngines } from './engine-list.ts'
import { buildLanes, inLanes, report } from './tasks.ts'

const isForTests = process.argv.slice(2).includes('--tests')
const wanted = isForTests ? [...engines, ...testEngines] : engines
report(await inLanes(wanted.map(taskOf), buildLanes))
