/** What whoever set up a service reads, and does next. */

export interface SetUpService {
  readonly name: string
  readonly token: string
  readonly sign_in_link: string
  readonly payment_methods: readonly { readonly key: string; readonly is_active: boolean }[]
  readonly location_id: number | null
  readonly price: number | undefined
  readonly publicUrl: string
}

const keysOf = ({ payment_methods: methods }: SetUpService, isActive: boolean): string =>
  methods
    .filter((method) => method.is_active === isActive)
    .map(({ key }) => key)
    .join(', ')

export const setupText = (made: SetUpService): string => {
  const off = keysOf(made, false)
  const { location_id: location, price } = made
  const steps = [
    'sallyport start                                   unless it runs already',
    `sallyport login --url ${made.publicUrl}`,
    ...(location === null
      ? ['sallyport location create --code nl --title-ru Нидерланды --title-en Netherlands']
      : []),
    ...(price === undefined
      ? [`sallyport tariff set --tariffs '[{"days":30,"prices":[{"payment_method_id":1,"price":200}]}]'`]
      : []),
    'sallyport node create --name nl-1 --address ADDRESS    its answer has one line to paste on that machine',
    `sallyport server create --node-id 1 --location-id ${location ?? 1} --capacity 200 \\`,
    '    --reality-target www.example.com:443 --reality-server-name www.example.com',
  ]
  return `The service is set up, with ${made.name} as its owner. To sign in, open this link within an hour; it works once:

  ${made.sign_in_link}

The token for sallyport login and for programs is shown this once:

  ${made.token}

Customers pay by ${keysOf(made, true)}.${off ? ` Off until a provider is configured (docs/operations.md): ${off}.` : ''}

What comes next:

${steps.map((step) => `  ${step}`).join('\n')}
`
}
