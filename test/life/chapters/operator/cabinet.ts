import type { World } from '../../world.ts'

/** The operator gives the cabinet a colour, words, mirrors and a logo. */

const looks = async ({ life, support }: World): Promise<void> => {
  const change = (body: object, who = life.operator) => life.ask(who, 'changeCabinetSettings', { body })
  await life.ask(support, 'showCabinetSettings')
  await change({ accent: '#0b57d0' }, support)
  await change({ accent: '#ffd400' })
  await change({ mirrors: ['https://mirror.example/'] })
  await change({
    accent: '#0b57d0',
    welcome_ru: 'Рады видеть вас',
    welcome_en: 'Good to see you',
    rules_en: 'Send no spam.\n\nShare no access.',
    mirrors: ['https://mirror.example'],
    closes_connections: true,
  })
  await change({ accent: null, version: 1 })
  await change({ welcome_ru: null, mirrors: [], closes_connections: false })
}

const drawingOf = (inside: string): object => ({
  type: 'image/svg+xml',
  image: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`).toString('base64'),
})

const logo = async ({ life, support }: World): Promise<void> => {
  const give = (body: object, who = life.operator) => life.ask(who, 'changeCabinetLogo', { body })
  await life.ask(support, 'showCabinetLogo')
  await give(drawingOf('<circle r="4"/>'), support)
  await give(drawingOf('<script>1</script>'))
  await give(drawingOf('<circle r="4"/>'))
  await life.ask(support, 'showCabinetLogo')
  await life.ask(life.operator, 'removeCabinetLogo')
  await life.ask(support, 'showCabinetSettings')
}

export const cabinet = async (world: World): Promise<void> => {
  await looks(world)
  await logo(world)
}
