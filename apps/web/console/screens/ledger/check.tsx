import { Act } from '../../../kit/act.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { hour } from '../../../lib/relative.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const readCheck = async () => ({ ...(await api.checkLedger()), at: now() })

/** Everything is added up, which takes a while where much has moved. */
export const Check = () => {
  const check = useResource('ledger-check', readCheck)
  return (
    <Card title={say('check')} side={<Act run={check.reload}>{say('again')}</Act>}>
      <Shown of={check} lines={1}>
        {({ accounts, transfers, imbalance, at }) => (
          <>
            <div role="status">
              {imbalance === 0 ? (
                <>
                  <Badge tone="good">{say('exact')}</Badge>
                  <p>{say('exactText')}</p>
                </>
              ) : (
                <div class="problem">
                  <b>{say('off', { n: imbalance })}</b>
                  <p>{say('offText')}</p>
                </div>
              )}
            </div>
            <p class="small">
              {say('added', { accounts: number(accounts), transfers: number(transfers), at: hour(at) })}
            </p>
          </>
        )}
      </Shown>
    </Card>
  )
}
