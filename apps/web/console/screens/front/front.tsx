import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Charts } from './charts.tsx'
import { Fleet } from './fleet.tsx'
import { Sales } from './sales.tsx'
import { Steps } from './steps.tsx'
import { Waiting } from './waiting.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What needs a person stands before every figure. */
const Overview = () => {
  const overview = useResource('overview', () => api.showOverview())
  return (
    <Shown of={overview} lines={6}>
      {(data) => (
        <>
          <Waiting overview={data} />
          <Sales overview={data} />
          <Fleet overview={data} />
        </>
      )}
    </Shown>
  )
}

const Front = () => (
  <>
    <h1>{say('title')}</h1>
    {may('createNode') && may('changeConfigTariffs') && <Steps />}
    {may('showOverview') && <Overview />}
    <Charts />
  </>
)

export default Front
