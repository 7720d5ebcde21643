import { Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { AccentCard } from './accent.tsx'
import './brand.css'
import { LogoCard } from './logo.tsx'
import { NameCard } from './name.tsx'
import type { Logo, SettingsProps } from './settings-of.ts'
import { TextsCard } from './texts.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const Cards = ({ settings, of }: SettingsProps) => {
  const logo = useResource<Logo>('cabinet/logo', () => api.showCabinetLogo())
  return (
    <>
      <AccentCard settings={settings} of={of} logo={logo} />
      <div class="columns">
        <TextsCard settings={settings} of={of} />
        <div class="stack">
          <NameCard settings={settings} />
          <LogoCard logo={logo} changed={of.reload} />
        </div>
      </div>
    </>
  )
}

/** How the cabinet looks, and what it says of the service. */
const Brand = () => {
  const settings = useResource('cabinet/settings', () => api.showCabinetSettings())
  return (
    <>
      <h1>{say('title')}</h1>
      <p class="small">{say('about')}</p>
      <Shown of={settings} lines={8}>
        {(data) => <Cards settings={data} of={settings} />}
      </Shown>
    </>
  )
}

export default Brand
