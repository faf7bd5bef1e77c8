/** A port of this machine that answers as an application does, for tests without the whole server. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

export async function listening(
  handle: Parameters<typeof getRequestListener>[0],
): Promise<{ readonly server: Server; readonly url: string }> {
  const listener = getRequestListener(handle)
  const server = createServer((request, response) => void listener(request, response))
  // Node's five seconds end between two requests of a busy machine, in the middle of the second one.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
