import { allOperations, type ContractOperation, type OperationName } from '@sallyport/contract/tables'
import type { Language } from '@sallyport/domain/text/language'
import { curlOf } from './examples.ts'

/** What has to be typed before the examples of the reference work as they stand. */

const named = (name: OperationName): ContractOperation => {
  const found = [...allOperations()].find((operation) => operation.name === name)
  if (!found) throw new Error(`There is no operation ${name}`)
  return found
}

export const firstPurchase = (): ContractOperation => named('buyConfig')

/** One of everything that examples name, in the order in which a fresh demo gives them these numbers. */
export const setUpOperations = (): ContractOperation[] =>
  (
    [
      'createSubconfig',
      'buyPaidOption',
      'addOptionConfig',
      'createOptionSubconfig',
      'buyCloudServer',
      'createCustomSubscription',
    ] as const
  ).map(named)

export const setUpCommands = (language: Language): string =>
  setUpOperations()
    .map((operation) => curlOf(operation, language))
    .join('\n')

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** The demo keeps its keys beside its data; whoever asks another service has keys of their own. */
const ofTheDemo = `credential() { sed -n 's/.*"'"$1"'": "\\([^"]*\\)".*/\\1/p' data/credentials.json; }
KEY=$(credential api_key)
OPERATOR=$(credential operator_token)
SESSION=$(curl -s -X POST "$ORIGIN/operator/v1/users/1/sessions" \\
  -H "Authorization: Bearer $OPERATOR" | sed 's/.*"session_token":"\\([^"]*\\)".*/\\1/')`

const ofYourOwn = `KEY='slp_…'
SESSION='eyJ…'
OPERATOR='slo_…'`

/** Every variable that examples use. */
export const variables = (origin: string): string => {
  const isHere = URL.canParse(origin) && loopback.includes(new URL(origin).hostname)
  return `ORIGIN='${origin}'\n${isHere ? ofTheDemo : ofYourOwn}`
}
