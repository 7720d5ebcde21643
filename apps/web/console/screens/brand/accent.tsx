import { type Signal, useSignal } from '@preact/signals'
import { enough } from '@sallyport/domain/brand/palette'
import { useEffect } from 'preact/hooks'
import { Field, Form } from '../../../kit/form.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { Resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Meanwhile } from '../../kit/forms/meanwhile.tsx'
import { rowIn, sentUnlessChanged } from '../../kit/forms/versions.ts'
import { type Judged, judge } from './contrast.ts'
import { type Logo, pictureOf, type Settings, type SettingsProps } from './settings-of.ts'
import { Sight } from './sight.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

interface AccentProps extends SettingsProps {
  readonly logo: Resource<Logo>
}

interface VerdictProps {
  readonly judged: Judged
  readonly take: (colour: string) => void
}

/** Whether it is read well, in the numbers that the service will have. */
const Verdict = ({ judged: { wanted, contrast, nearest, contrasts }, take }: VerdictProps) => (
  <div class="verdict" role="status">
    {wanted === undefined && <Badge tone="bad">{say('noColour')}</Badge>}
    {wanted !== undefined && nearest !== undefined && (
      <>
        <p>
          <Badge tone="bad">{say('tooPale', { has: number(contrast) })}</Badge>
        </p>
        <p class="small">{say('tooPaleText', { enough: number(enough) })}</p>
        <div class="acts">
          <button type="button" onClick={() => take(nearest)}>
            {say('takeNearest', { colour: nearest })}
          </button>
        </div>
      </>
    )}
    {wanted !== undefined && nearest === undefined && (
      <Badge tone="good">
        {say('readable', { light: number(contrasts.light), dark: number(contrasts.dark) })}
      </Badge>
    )}
  </div>
)

/** By eye or by number; both hold the same. */
const Chosen = ({ text }: { readonly text: Signal<string> }) => {
  const { wanted } = judge(text.value)
  return (
    <Field name="accent" label={say('accent')} hint={say('accentHint')}>
      {(wiring) => (
        <div class="colour">
          <input
            type="color"
            aria-label={say('byEye')}
            value={wanted ?? '#000000'}
            onInput={(event) => {
              text.value = event.currentTarget.value
            }}
          />
          <input
            {...wiring}
            value={text.value}
            placeholder="#0b6e5f"
            maxLength={7}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => {
              text.value = event.currentTarget.value
            }}
          />
        </div>
      )}
    </Field>
  )
}

interface TheirsProps {
  readonly theirs: Signal<Settings | undefined>
  readonly keep: (theirs: Settings) => Promise<void>
  readonly take: (theirs: Settings) => void
}

/** Somebody chose another colour meanwhile. */
const Theirs = ({ theirs, keep, take }: TheirsProps) => {
  const row = theirs.value
  if (!row) return null
  return (
    <Meanwhile
      title={say('collidedTitle')}
      text={say('collidedText', { colour: row.accent ?? say('usualColour') })}
    >
      <div class="acts">
        <button type="button" onClick={() => void keep(row)}>
          {say('keepMine')}
        </button>
        <button type="button" onClick={() => take(row)}>
          {say('takeTheirs')}
        </button>
      </div>
    </Meanwhile>
  )
}

/** The colour is sent alone: others may be writing rules meanwhile. */
const useAccent = ({ settings, of }: SettingsProps) => {
  const text = useSignal(settings.accent ?? '')
  const was = useSignal(settings.accent)
  const theirs = useSignal<Settings | undefined>(undefined)
  const show = (row: Settings): void => {
    text.value = row.accent ?? ''
    was.value = row.accent
    theirs.value = undefined
  }
  // Read anew: what was chosen and not saved stays.
  useEffect(() => {
    if (text.peek() === (was.peek() ?? '')) show(settings)
  }, [settings])
  const send = async (seen: Settings): Promise<void> => {
    const accent = text.value.trim() || null
    try {
      const saved = await sentUnlessChanged({ accent: was.value }, ['accent'], seen.version, (version) =>
        api.changeCabinetSettings({ body: { accent, version } }),
      )
      show(saved)
      of.set(saved)
      tell(say('saved'))
    } catch (error) {
      const row = rowIn(error) as unknown as Settings | undefined
      if (!row) throw error
      theirs.value = row
    }
  }
  const take = (row: Settings): void => {
    show(row)
    of.set(row)
  }
  return { text, theirs, send, take }
}

export const AccentCard = ({ settings, of, logo }: AccentProps) => {
  const { text, theirs, send, take } = useAccent({ settings, of })
  const judged = judge(text.value)
  const isFine = judged.wanted !== undefined && judged.nearest === undefined
  const picture = logo.data.value && pictureOf(logo.data.value)
  return (
    <Card title={say('colour')}>
      <div class="columns">
        {may('changeCabinetSettings') ? (
          <div>
            <Theirs theirs={theirs} keep={send} take={take} />
            <Form send={() => send(settings)} submit={say('saveColour')} disabled={!isFine}>
              <Chosen text={text} />
              <Verdict
                judged={judged}
                take={(colour) => {
                  text.value = colour
                }}
              />
            </Form>
          </div>
        ) : (
          <p>{settings.accent ?? say('usualColour')}</p>
        )}
        <figure class="sights">
          <figcaption class="small">
            {say(judged.nearest === undefined ? 'sights' : 'sightsOfNearest', {
              colour: judged.palette.light.accent,
            })}
          </figcaption>
          {(['light', 'dark'] as const).map((theme) => (
            <Sight
              key={theme}
              theme={theme}
              shades={judged.palette[theme]}
              name={settings.name}
              picture={picture}
            />
          ))}
        </figure>
      </div>
    </Card>
  )
}
