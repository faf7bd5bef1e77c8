/** The port that Prometheus asks (SERVER-D2): what needs no credential has no address on the public port. */

import { createServer, type ServerResponse } from 'node:http'
import type { Log } from '../../domain/ports/core.ts'
import type { Metrics } from './observe.ts'

export async function openMetricsPort(
  { port, host }: { readonly port: number; readonly host: string },
  metrics: Pick<Metrics, 'render'>,
  log: Log,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return answer(response, 404, 'Here is only /metrics.\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return answer(response, 405, 'Only GET is offered here.\n', { allow: 'GET, HEAD' })
    }
    metrics.render().then(
      ({ type, text }) => answer(response, 200, text, { 'content-type': type }),
      (error: unknown) => {
        log.error({ error: String(error) }, 'the metrics cannot be had')
        answer(response, 503, 'The metrics cannot be had; the log of the server says why.\n')
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`Metrics cannot be served at ${host}:${port} (${error.message}): set PILOTWIRE_METRICS_PORT.`)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers })
  response.end(text)
}
