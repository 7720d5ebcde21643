import type { World } from '../../world.ts'

/** A cloud that goes once nothing offers it, and with it what kept its node. */
export const deletedClouds = async ({ life, support }: World): Promise<void> => {
  const { operator } = life
  const { data: node } = await life.ask(operator, 'createNode', {
    body: { name: 'shed', address: '203.0.113.62' },
  })
  const { data: cloud } = await life.ask(operator, 'createCloud', {
    body: { kind: 'local', title: 'Shed', node_id: node.id },
  })
  const { data: sold } = await life.ask(operator, 'createCloudConfiguration', {
    body: {
      title_ru: 'Сарай',
      title_en: 'Shed',
      description_ru: '1 ядро',
      description_en: '1 core',
      tariffs: [],
      offers: [{ location_id: 1, cloud_id: cloud.id }],
    },
  })
  const remove = (who = operator) => life.ask(who, 'deleteCloud', { params: { id: cloud.id } })
  const removeNode = () => life.ask(operator, 'deleteNode', { params: { id: node.id } })
  await remove(support)
  await remove()
  await life.ask(operator, 'changeCloudConfiguration', { params: { id: sold.id }, body: { offers: [] } })
  await removeNode()
  await remove()
  await remove()
  await removeNode()
  await life.ask(support, 'listClouds')
}
