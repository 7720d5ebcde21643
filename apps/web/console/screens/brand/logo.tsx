import { useSignal } from '@preact/signals'
import { backgrounds, themes } from '@sallyport/domain/brand/palette'
import { Confirmed } from '../../../kit/dialog.tsx'
import { Field, Form } from '../../../kit/form.tsx'
import { Card } from '../../../kit/look.tsx'
import { Told } from '../../../kit/problem.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { Resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { sentUnlessChanged } from '../../kit/forms/versions.ts'
import { type Logo, pictureOf } from './settings-of.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const types = ['image/svg+xml', 'image/png', 'image/webp'] as const
const mostBytes = 8192

interface LogoProps {
  readonly logo: Resource<Logo>
  /** The version of the settings has risen with it. */
  readonly changed: () => Promise<void>
}

interface PictureProps {
  readonly picture: string
  readonly bytes: number
}

const Picture = ({ picture, bytes }: PictureProps) => (
  <figure>
    <div class="logo">
      {themes.map((theme) => (
        <span key={theme} style={{ '--behind': backgrounds[theme].card }}>
          <img src={picture} alt={say(theme === 'light' ? 'logoOnLight' : 'logoOnDark')} />
        </span>
      ))}
    </div>
    <figcaption class="small">{say('bytes', { n: number(bytes) })}</figcaption>
  </figure>
)

const base64Of = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** What is seen at once to be too much is not sent; the service looks at the rest. */
const readFile = async (file: File | undefined) => {
  const type = types.find((one) => one === file?.type)
  if (!file) throw new Told(say('noFile'))
  if (!type) throw new Told(say('otherType'))
  if (file.size > mostBytes) throw new Told(say('tooLarge', { n: number(Math.ceil(file.size / 1024)) }))
  return { type, image: await base64Of(file) }
}

const Upload = ({ now, put }: { readonly now: Logo; readonly put: (logo: Logo) => Promise<void> }) => {
  const file = useSignal<File | undefined>(undefined)
  const count = useSignal(0)
  const send = async () => {
    const body = await readFile(file.value)
    const saved = await sentUnlessChanged(now, ['type', 'image'], now.version, (version) =>
      api.changeCabinetLogo({ body: { ...body, version } }),
    )
    await put(saved)
    file.value = undefined
    count.value++
    tell(say('logoSaved'))
  }
  return (
    <Form key={count.value} send={send} submit={say('upload')} disabled={!file.value}>
      <Field name="image" label={say('file')} hint={say('fileHint')}>
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            accept={types.join(',')}
            onChange={(event) => {
              file.value = event.currentTarget.files?.[0]
            }}
          />
        )}
      </Field>
    </Form>
  )
}

const Body = ({ logo, changed, now }: LogoProps & { readonly now: Logo }) => {
  const picture = pictureOf(now)
  const put = async (next: Logo) => {
    logo.set(next)
    await changed()
  }
  const remove = async () => {
    await put(await api.removeCabinetLogo())
    tell(say('logoRemoved'))
  }
  return (
    <>
      {picture === undefined ? <p>{say('noLogo')}</p> : <Picture picture={picture} bytes={now.bytes} />}
      {may('changeCabinetLogo') && <Upload now={now} put={put} />}
      {picture !== undefined && may('removeCabinetLogo') && (
        <div>
          <Confirmed title={say('removeTitle')} yes={say('remove')} run={remove}>
            <p>{say('removeText')}</p>
          </Confirmed>
        </div>
      )}
    </>
  )
}

export const LogoCard = ({ logo, changed }: LogoProps) => (
  <Card title={say('logo')}>
    <Shown of={logo} lines={2}>
      {(now) => <Body logo={logo} changed={changed} now={now} />}
    </Shown>
  </Card>
)
