import { createServer } from 'node:http'
import { reads } from './reads.ts'

const headers = { 'content-type': 'application/json; charset=utf-8' }

const answer = async (url: string): Promise<string> => {
  const [, name = '', key = ''] = url.split('/')
  return reads[name as keyof typeof reads](key)
}

createServer((request, response) => {
  answer(request.url as string).then(
    (body) => response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(process.env.PORT), '127.0.0.1')
