import '../style/colours.css'
import '../style/base.css'
import '../cabinet/style/frame.css'
import '../style/cards.css'
import '../style/forms.css'
import '../cabinet/style/more.css'
import '../style/json.css'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { Act } from '../kit/act.tsx'
import { Chart } from '../kit/chart.tsx'
import { Choice, Switch } from '../kit/choice.tsx'
import { Copyable } from '../kit/copy.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { Facts, Fold } from '../kit/fold.tsx'
import { Field, Form } from '../kit/form.tsx'
import { JsonEditor } from '../kit/json-editor.tsx'
import { Badge, Bar, Card } from '../kit/look.tsx'
import { Menu } from '../kit/menu.tsx'
import { Problem } from '../kit/problem.tsx'
import { Qr } from '../kit/qr.tsx'
import { Empty, Loading } from '../kit/shown.tsx'
import { Toasts, tell } from '../kit/toast.tsx'
import { language, sayIn } from '../lib/language.ts'
import { NoAnswer, SallyportError } from '../lib/send.ts'
import { words } from './words.en.ts'

/** Every part of the kit in every state, for the eye and for the tests that walk it. */

const say = sayIn(words)
const isOpen = signal(false)
const days = signal<number>(30)
const isOn = signal(true)

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const refused = new SallyportError(
  {
    statusCode: 400,
    errorCode: 3,
    message: 'BAD_REQUEST',
    details: [{ path: 'email', problem: 'is not an address' }],
  },
  undefined,
)
const fail = () => Promise.reject(refused)

const points = Array.from({ length: 30 }, (_, at) => String(at + 1))
const waves = (shift: number) =>
  points.map((_, at) => (at === 12 ? null : 20 + 10 * Math.sin(at / 4 + shift)))

const Buttons = () => (
  <Card title={say('buttons')} side={<Menu items={[{ text: say('usual'), run: () => tell(say('said')) }]} />}>
    <div class="acts">
      <button type="button" class="p">
        {say('main')}
      </button>
      <button type="button">{say('usual')}</button>
      <button type="button" class="danger">
        {say('danger')}
      </button>
      <button type="button" disabled>
        {say('usual')}
      </button>
    </div>
    <p>
      <button type="button" class="link">
        {say('link')}
      </button>
    </p>
    <Act run={() => wait(1000)}>{say('works')}</Act>
    <Act run={fail}>{say('fails')}</Act>
  </Card>
)

const States = () => (
  <Card title={say('states')}>
    {(['good', 'warn', 'bad', 'dim'] as const).map((tone) => (
      <Badge key={tone} tone={tone}>
        {say(tone)}
      </Badge>
    ))}
    <Bar part={0.7} label={say('daysLeft', { n: 21 })} />
    <Bar part={0.2} tone="warn" label={say('daysLeft', { n: 3 })} />
    <Bar part={0.05} tone="bad" label={say('daysLeft', { n: 1 })} />
    <Loading />
    <Problem error={refused} />
    <Problem error={new NoAnswer()} isSpending onRetry={() => tell(say('said'))} />
    <Empty title={say('empty')}>
      <a class="button p" href="#top">
        {say('emptyNext')}
      </a>
    </Empty>
    <Facts
      rows={[
        ['IP', '203.0.113.10'],
        [say('email'), 'anna@example.com'],
      ]}
    />
  </Card>
)

const Forms = () => (
  <Card title={say('forms')}>
    <Form send={fail} submit={say('send')}>
      <Field name="email" label={say('email')} hint={say('emailHint')}>
        {(wiring) => <input type="email" {...wiring} />}
      </Field>
    </Form>
    <Form send={fail} submit={say('send')}>
      <JsonEditor name="json" label="JSON" value={'{\n  "inbounds": [\n    { "port": 443, }\n  ]\n}'} />
    </Form>
    <Choice
      legend={say('choose')}
      value={days.value}
      onChoose={(value) => {
        days.value = value
      }}
      options={[
        { value: 30, title: say('month'), side: '200 ₽' },
        { value: 365, title: say('year'), text: say('yearText'), side: '2000 ₽' },
        { value: 0, title: say('dim'), disabled: true },
      ]}
    />
    <Switch
      label={say('autoRenewal')}
      hint={say('autoRenewalHint')}
      isOn={isOn.value}
      onChange={(value) => {
        isOn.value = value
      }}
    />
  </Card>
)

const Drawn = () => (
  <Card title={say('drawn')}>
    <Qr text="https://vpn.example.com/sub/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" />
    <Chart
      title={say('chart')}
      labels={points}
      series={[
        { name: say('down'), values: waves(0) },
        { name: say('up'), values: waves(2) },
      ]}
      format={(value) => value.toFixed(1)}
    />
    <p>{say('long')}</p>
    <Copyable text={`vless://${'a'.repeat(300)}`} />
    <Fold title={say('fold')}>
      <p>{say('emailHint')}</p>
    </Fold>
  </Card>
)

const Over = () => (
  <Card title={say('over')}>
    <div class="acts">
      <button
        type="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {say('open')}
      </button>
      <button type="button" onClick={() => tell(say('said'))}>
        {say('toast')}
      </button>
    </div>
    <Confirm isOpen={isOpen} title={say('confirm')} yes={say('danger')} run={() => wait(300)}>
      <p>{say('confirmText')}</p>
    </Confirm>
  </Card>
)

const Specimen = () => (
  <div class="frame">
    <main id="top">
      <h1>{say('title')}</h1>
      <Buttons />
      <States />
      <Forms />
      <Drawn />
      <Over />
    </main>
    <Toasts />
  </div>
)

document.documentElement.lang = language
const root = document.getElementById('root')
if (root) render(<Specimen />, root)
