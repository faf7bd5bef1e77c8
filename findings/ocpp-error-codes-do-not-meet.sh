#!/usr/bin/env bash
# ocpp-rpc 2.2.1 and typed-ocpp 1.6.2.
# OCPP 1.6 misspells two error codes, FormationViolation and OccurenceConstraintViolation, and its errata keep both; 2.0.1
# writes FormatViolation. ocpp-rpc in strict mode writes the second one with two r to stations of 1.6 and with one r to
# those of 2.0.1. typed-ocpp knows neither 1.6's own spelling with one r nor 2.0.1's FormatViolation. So both codes that
# ocpp-rpc sends to a station of 2.0.1 make a CALLERROR that typed-ocpp refuses, and it refuses one that 1.6 defines.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts ocpp-rpc@2.2.1 typed-ocpp@1.6.2 ws@8.23.0 >&2

cat >finding.mjs <<'JS'
import { once } from 'node:events'
import rpc from 'ocpp-rpc'
import { OCPP16, OCPP20 } from 'typed-ocpp'
import WebSocket from 'ws'

const server = new rpc.RPCServer({ protocols: ['ocpp1.6', 'ocpp2.0.1'], strictMode: true })
server.on('client', (client) => client.handle(() => ({})))
const { port } = (await server.listen(0, '127.0.0.1')).address()

const long = 'A'.repeat(60)
const cases = [
  ['ocpp1.6', 'lacks a member', { chargePointVendor: 'A' }, OCPP16],
  ['ocpp1.6', 'is too long', { chargePointVendor: long, chargePointModel: 'B' }, OCPP16],
  ['ocpp2.0.1', 'lacks a member', { reason: 'PowerUp' }, OCPP20],
  ['ocpp2.0.1', 'is too long', { reason: 'PowerUp', chargingStation: { vendorName: long, model: 'B' } }, OCPP20],
]
const taken = (isTaken) => (isTaken ? 'taken' : 'refused')
for (const [protocol, fault, boot, { validate }] of cases) {
  const station = new WebSocket(`ws://127.0.0.1:${port}/CP1`, protocol)
  await once(station, 'open')
  station.send(JSON.stringify([2, '1', 'BootNotification', boot]))
  const [, id, code] = JSON.parse((await once(station, 'message'))[0])
  console.log(`${protocol}, ${fault}: ocpp-rpc sends ${code}, typed-ocpp: ${taken(validate([4, id, code, '', {}]))}`)
  station.close()
}
const ofStandard = [4, '1', 'OccurenceConstraintViolation', '', {}]
console.log(`ocpp1.6, OccurenceConstraintViolation of the standard: typed-ocpp: ${taken(OCPP16.validate(ofStandard))}`)
await server.close()
JS

node finding.mjs | tee output
diff output - <<'SEEN'
ocpp1.6, lacks a member: ocpp-rpc sends OccurrenceConstraintViolation, typed-ocpp: taken
ocpp1.6, is too long: ocpp-rpc sends FormationViolation, typed-ocpp: taken
ocpp2.0.1, lacks a member: ocpp-rpc sends OccurenceConstraintViolation, typed-ocpp: refused
ocpp2.0.1, is too long: ocpp-rpc sends FormatViolation, typed-ocpp: refused
ocpp1.6, OccurenceConstraintViolation of the standard: typed-ocpp: refused
SEEN
