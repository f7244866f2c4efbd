import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** Writes the bytes of a file to every request, and does nothing else. */
const body = readFileSync(process.argv[2] as string)
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port))
