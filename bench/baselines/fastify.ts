import Fastify from 'fastify'
import { reads } from './reads.ts'

const json = 'application/json; charset=utf-8'
const app = Fastify()
for (const [name, read] of Object.entries(reads)) {
  app.get<{ Params: { key: string } }>(`/${name}/:key`, async (request, reply) => {
    reply.header('content-type', json)
    return read(request.params.key)
  })
}
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
