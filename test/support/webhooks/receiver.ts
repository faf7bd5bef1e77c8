/** For tests: a receiver on a loopback port that records what came and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly method: string
  readonly path: string
}

export type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end()
  }

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  respond: Answer
  close(): Promise<void>
}

export async function startReceiver(respond: Answer = answer(204)): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = {
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        method: request.method ?? '',
        path: request.url ?? '',
      }
      receiver.received.push(received)
      receiver.respond(response, received, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    respond,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
  return receiver
}
