import { ask } from '@sallyport/cli/ask'
import { UsageError } from '@sallyport/cli/usage-error'
import { urlOf } from '../compose/http-server.ts'
import { readLocation, setUpService } from '../compose/setup.ts'
import { setupText } from '../local/setup-text.ts'
import { flagsIn, json, config as readSettings, settings, writeJson } from './command.ts'

export const help = `sallyport setup [--name NAME] [--email ADDRESS] [--location CODE:RU:EN] [--price ROUBLES] [--yes] [--json]

Makes an empty service on PostgreSQL ready to sell: the first owner with a link to sign in and a token, the usual payment
methods (those on that a configured provider takes), a first location, a first price of 30 days. It asks for what is not
said; with --yes it asks nothing. All of it is done, or nothing.
${settings}

Examples:
  sallyport setup
  sallyport setup --name olga --location nl:Нидерланды:Netherlands --price 200 --yes`

const readPrice = (text: string): number | undefined => {
  if (text === '') return undefined
  const price = Number(text)
  if (!Number.isSafeInteger(price) || price < 1) {
    throw new UsageError(`--price takes whole roubles above 0, not “${text}”.`)
  }
  return price
}

const readPlace = (text: string) => {
  try {
    return text === '' ? undefined : readLocation(text)
  } catch {
    throw new UsageError(`--location looks like nl:Нидерланды:Netherlands, not “${text}”.`)
  }
}

const flags = {
  name: { type: 'string' },
  email: { type: 'string' },
  location: { type: 'string' },
  price: { type: 'string' },
  yes: { type: 'boolean' },
  ...json,
} as const

export const run = async (args: string[]): Promise<void> => {
  const config = readSettings()
  const given = flagsIn(args, flags)
  const answer = async (name: 'name' | 'email' | 'location' | 'price', question: string): Promise<string> =>
    given[name] ?? (given.yes ? '' : await ask(question))
  const name = (await answer('name', 'Name of the first owner [owner]: ')) || 'owner'
  const email = await answer('email', 'Their e-mail, for alerts (empty for none): ')
  const location = readPlace(
    await answer('location', 'First location, like nl:Нидерланды:Netherlands (empty for none yet): '),
  )
  const price = readPrice(await answer('price', 'Roubles for 30 days (empty for none yet): '))
  const made = await setUpService(config, { name, email: email || undefined, location, price })
  if (given.json) return writeJson(made)
  console.log(setupText({ ...made, name, price, publicUrl: config.publicUrl ?? urlOf(config, config.port) }))
}
