#!/usr/bin/env bash
# ocpp-ts 0.3.0.
# A limit of OCPP 1.6 has at most one digit behind the point, and the standard gives 8.1 as its example. A station built
# on ocpp-ts answers 8.1 A with FormationViolation, as it does nearly a third of all legal limits from 6 to 32 A: the
# schema's "multiple of 0.1" is divided in binary fractions. Which ones are refused has no order that an operator could
# see: 16.1 is taken, 16.2 is not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ocpp-ts@0.3.0 ws@8.23.0 >&2

cat >finding.mjs <<'JS'
import { once } from 'node:events'
import ocpp from 'ocpp-ts'
import { WebSocketServer } from 'ws'

const csms = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'ocpp1.6' })
await once(csms, 'listening')
const station = new ocpp.OcppClient('CP1')
station.on('SetChargingProfile', (_, answer) => answer({ status: 'Accepted' }))
station.on('error', () => {})
const connected = once(csms, 'connection')
station.connect(`ws://127.0.0.1:${csms.address().port}/`)
const [socket] = await connected

async function ask(limit) {
  const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }
  const kind = { chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Relative' }
  const csChargingProfiles = { chargingProfileId: 1, stackLevel: 0, ...kind, chargingSchedule }
  socket.send(JSON.stringify([2, `${limit}`, 'SetChargingProfile', { connectorId: 1, csChargingProfiles }]))
  const [, , outcome] = JSON.parse((await once(socket, 'message'))[0])
  return outcome.status ?? outcome
}

for (const limit of [8, 8.1, 16.1, 16.2]) console.log(`${limit} A: ${await ask(limit)}`)
const limits = Array.from({ length: 261 }, (_, tenth) => (60 + tenth) / 10)
const refused = []
for (const limit of limits) if ((await ask(limit)) !== 'Accepted') refused.push(limit)
console.log(`of ${limits.length} limits from 6.0 to 32.0 A it refuses ${refused.length}`)
process.exit()
JS

node finding.mjs | tee output
diff output - <<'SEEN'
8 A: Accepted
8.1 A: FormationViolation
16.1 A: Accepted
16.2 A: FormationViolation
of 261 limits from 6.0 to 32.0 A it refuses 82
SEEN
