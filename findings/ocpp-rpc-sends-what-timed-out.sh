#!/usr/bin/env bash
# ocpp-rpc 2.2.1.
# A station's call while its client reconnects waits in a buffer, and its timeout runs meanwhile. The promise is rejected
# with "Call timeout", yet the message stays in the buffer and is sent once the connection is back. A station that
# repeats a StartTransaction after the timeout starts two charges, and it never sees the answers: they are bad messages
# by then.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ocpp-rpc@2.2.1 >&2

cat >finding.mjs <<'JS'
import { once } from 'node:events'
import rpc from 'ocpp-rpc'

const protocols = ['ocpp1.6']
const received = []
let port = 0

async function centralSystem() {
  const server = new rpc.RPCServer({ protocols })
  server.on('client', (client) =>
    client.handle(({ method }) => {
      received.push(method)
      if (method === 'Heartbeat') return { currentTime: new Date().toISOString() }
      return { transactionId: received.length, idTagInfo: { status: 'Accepted' } }
    }),
  )
  port = (await server.listen(port, '127.0.0.1')).address().port
  return server
}

const before = await centralSystem()
const station = new rpc.RPCClient({
  endpoint: `ws://127.0.0.1:${port}`,
  identity: 'CP1',
  protocols,
  callTimeoutMs: 100,
  backoff: { initialDelay: 1000, maxDelay: 2000 },
})
await station.connect()
const disconnected = once(station, 'disconnect')
await before.close({ force: true })
await disconnected

const start = { connectorId: 1, idTag: 'CARD', meterStart: 1000, timestamp: new Date().toISOString() }
for (const attempt of ['first', 'second']) {
  const outcome = await station.call('StartTransaction', start).then(() => 'answered', (error) => error.message)
  console.log(`${attempt} StartTransaction without a connection:`, outcome)
}
const bad = []
station.on('badMessage', ({ error }) => bad.push(error.message.replace(/ID: .*/, 'ID')))
const opened = once(station, 'open')
const after = await centralSystem()
await opened
await station.call('Heartbeat', {}, { callTimeoutMs: 10_000 })
console.log('received once it is back:', received.join(', '))
console.log('their answers:', bad.join(', '))
await station.close()
await after.close()
JS

node finding.mjs | tee output
diff output - <<'SEEN'
first StartTransaction without a connection: Call timeout
second StartTransaction without a connection: Call timeout
received once it is back: StartTransaction, StartTransaction, Heartbeat
their answers: Received CALLRESULT for unrecognised message ID, Received CALLRESULT for unrecognised message ID
SEEN
