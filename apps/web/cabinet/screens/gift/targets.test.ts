import { expect, test } from 'vitest'
import { targetsFor } from './targets.ts'

const had = {
  configs: [{ id: 7, title: null, location_id: 1, expires_at: 10 }],
  options: [{ id: 2, title: 'White internet', caption: 'Five countries' }],
  clouds: [{ id: 3, hostname: 'vpn.example.com', location_id: 2, expires_at: 20 }],
}
const namesFor = (product?: string) => targetsFor(product, had).map(({ value }) => value)

test('a key of an unknown kind may be for anything', () => {
  expect(namesFor()).toEqual(['config', 'renewal-7', 'option-2', 'order', 'cloud-3'])
  expect(namesFor('toasters')).toEqual(namesFor())
})

test('one of a kind that is known is for that alone', () => {
  expect(namesFor('configs')).toEqual(['config', 'renewal-7'])
  expect(namesFor('paid_options')).toEqual(['option-2'])
  expect(namesFor('cloud_servers')).toEqual(['order', 'cloud-3'])
})

test('what is renewed says which it is and until when it lasts', () => {
  expect(targetsFor('cloud_servers', had)[1]).toMatchObject({ title: 'vpn.example.com', id: 3, endsAt: 20 })
})
