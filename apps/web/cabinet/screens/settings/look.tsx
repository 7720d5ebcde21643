import { useSignal } from '@preact/signals'
import { Choice } from '../../../kit/choice.tsx'
import { FoldedPart } from '../../../kit/later.tsx'
import { changeLanguage, language, remember, sayIn } from '../../../lib/language.ts'
import { isInTelegram } from '../../../lib/outside.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const chosenTheme = (): Theme => {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** At once here; the service writes it into the page from the next visit on. */
const apply = (theme: Theme): void => {
  remember('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** Inside Telegram the colours are Telegram's. */
const Themes = () => {
  const theme = useSignal(chosenTheme())
  return (
    <Choice
      legend={say('theme')}
      value={theme.value}
      onChoose={(value) => {
        theme.value = value
        apply(value)
      }}
      options={themes.map((value) => ({ value, title: say(value) }))}
    />
  )
}

export const Look = () => (
  <FoldedPart title={say('look')} isTitle>
    {() => (
      <>
        <Choice
          legend={say('language')}
          value={language}
          onChoose={changeLanguage}
          options={[
            { value: 'ru', title: <span lang="ru">Русский</span> },
            { value: 'en', title: <span lang="en">English</span> },
          ]}
        />
        {!isInTelegram() && <Themes />}
      </>
    )}
  </FoldedPart>
)
