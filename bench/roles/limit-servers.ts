/** The two limits: an in-memory ocpp-rpc server with strict schemas, and a bare WebSocket server that only answers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { startCentralSystem } from '../../simulator/central-system.ts'
import { playRole } from './role.ts'

export function playInMemoryServer(): void {
  playRole({ listen: async () => (await startCentralSystem()).url })
}

/** Answers every CALL with an empty result; knows nothing of OCPP. */
export function playBareServer(): void {
  playRole({
    async listen() {
      const http = createServer()
      const sockets = new WebSocketServer({ server: http, perMessageDeflate: false, clientTracking: false })
      sockets.on('connection', (socket) => {
        socket.on('message', (bytes: Buffer) => {
          const text = bytes.toString()
          socket.send(`[3,${text.slice(3, text.indexOf(',', 3))},{}]`)
        })
        socket.on('error', () => socket.terminate())
      })
      http.listen({ port: 0, host: '127.0.0.1', backlog: 8192 })
      await once(http, 'listening')
      return `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ocpp`
    },
  })
}
