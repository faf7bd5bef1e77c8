#!/usr/bin/env bash
# ocpp-rpc 2.2.1.
# The package brings the 181 schemas of OCPP 2.1, but its strict mode finds none of them: it looks for `urn:Heartbeat.req`
# and the file says `urn:HeartbeatRequest`. So a strict connection of 2.1 answers every message with ProtocolError, and
# the same message of 2.0.1 passes. A validator of one's own, made from the same file under the older names, helps.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ocpp-rpc@2.2.1 >&2

cat >finding.mjs <<'JS'
import { createRequire } from 'node:module'
import rpc from 'ocpp-rpc'

const schemas = createRequire(import.meta.url)('ocpp-rpc/lib/schemas/ocpp2_1.json')
console.log('schemas of 2.1:', schemas.length, schemas.find(({ $id }) => $id.includes('Heartbeat')).$id)

for (const protocol of ['ocpp2.0.1', 'ocpp2.1']) {
  const server = new rpc.RPCServer({ protocols: [protocol], strictMode: true })
  server.on('client', (client) => client.handle(() => ({ currentTime: new Date().toISOString() })))
  const { port } = (await server.listen(0, '127.0.0.1')).address()
  const station = new rpc.RPCClient({ endpoint: `ws://127.0.0.1:${port}`, identity: 'CP1', protocols: [protocol] })
  await station.connect()
  const outcome = await station.call('Heartbeat', {}).then(() => 'answered', (error) => error.rpcErrorCode)
  console.log(`Heartbeat of ${protocol} to a strict server:`, outcome)
  await station.close()
  await server.close()
}
JS

node finding.mjs 2>errors | tee output
diff output - <<'SEEN'
schemas of 2.1: 181 urn:HeartbeatRequest
Heartbeat of ocpp2.0.1 to a strict server: answered
Heartbeat of ocpp2.1 to a strict server: ProtocolError
SEEN
