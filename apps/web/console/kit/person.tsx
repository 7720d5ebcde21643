import { sayIn } from '../../lib/language.ts'
import { may } from '../frame/me.ts'
import { to } from '../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface PersonProps {
  readonly id: number
  readonly email?: string | null
}

/** Narrow columns break it before the host. */
const Mail = ({ address }: { readonly address: string }) => {
  const at = address.lastIndexOf('@')
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  )
}

/** A customer by name, and the way to their page for those who may see it. */
export const Person = ({ id, email }: PersonProps) => {
  const name = email ? <Mail address={email} /> : say('customer', { id: `${id}` })
  return may('showUser') ? <a href={to('/console/customers/:id', { id })}>{name}</a> : <span>{name}</span>
}
