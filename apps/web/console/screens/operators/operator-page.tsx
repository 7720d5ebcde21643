import { Facts } from '../../../kit/fold.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { date, dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may, readMe } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import { asking, to } from '../../paths.ts'
import { Tokens } from '../../tokens/tokens.tsx'
import { Acts } from './acts.tsx'
import { fields, isMe, type OperatorProps, readOperator, toldKindly } from './operator.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const About = ({ operator }: Pick<OperatorProps, 'operator'>) => {
  const { id, role, email, has_passkey, signed_in_at, created_at } = operator
  return (
    <Card title={say('about')}>
      <Facts
        rows={[
          [say('role'), say(role)],
          [say('mail'), email ?? '–'],
          [
            say('wayIn'),
            <Badge key="way" tone={has_passkey ? 'good' : 'dim'}>
              {say(has_passkey ? 'passkey' : 'noPasskey')}
            </Badge>,
          ],
          [say('signedIn'), signed_in_at === null ? say('never') : dateTime(signed_in_at)],
          [say('since'), date(created_at)],
        ]}
      />
      {may('listAudit') && (
        <p>
          <a href={asking(to('/console/audit'), { operator_id: id })}>{say('audit')}</a>
        </p>
      )}
    </Card>
  )
}

const Change = ({ operator, of }: OperatorProps) => (
  <Card title={say('change')}>
    <Edit
      row={operator}
      fields={fields}
      send={(body) => toldKindly(api.changeOperator({ params: { id: operator.id }, body }))}
      onSaved={(row) => {
        of.set(row)
        forgetRead('operators')
        if (isMe(row)) void readMe().reload()
      }}
    />
  </Card>
)

export const OperatorPage = ({ id }: { readonly id: number }) => {
  const operator = useResource(`operator/${id}`, () => readOperator(id))
  return (
    <>
      <a class="back" href={to('/console/operators')}>
        {say('back')}
      </a>
      <Shown of={operator} lines={5} heading={say('title')}>
        {(data) => (
          <>
            <div class="head">
              <div>
                <h1>{data.name}</h1>
                <Badge tone={data.is_active ? 'good' : 'dim'}>{say(data.is_active ? 'active' : 'off')}</Badge>{' '}
                {isMe(data) && <span class="small">{say('you')}</span>}
              </div>
              <Acts operator={data} of={operator} />
            </div>
            <div class="columns">
              <div class="stack">
                <About operator={data} />
                {may('listOperatorTokens') && <Tokens owner={{ id, role: data.role, isOwn: isMe(data) }} />}
              </div>
              {may('changeOperator') && <Change operator={data} of={operator} />}
            </div>
          </>
        )}
      </Shown>
    </>
  )
}
