#!/usr/bin/env bash
# typed-ocpp 1.6.2.
# Its validators only ask whether a message is valid, yet they change it: whatever the schema does not know is removed
# from the caller's own object, at every depth, and the message is valid. What a vendor adds is gone from a message that
# was checked before it was kept, and a member whose name is spelled wrong is never reported.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts typed-ocpp@1.6.2 >&2

cat >finding.mjs <<'JS'
import { OCPP16, OCPP20 } from 'typed-ocpp'

function checked(name, { validate }, message) {
  console.log(`${name}: ${validate(message) ? 'valid' : 'refused'}, and now ${JSON.stringify(message[3])}`)
}
const timestamp = '2026-08-01T12:00:00Z'
const sampledValue = [{ value: '100', unit: 'Wh', vendorQuality: 'good' }]
const values = { connectorId: 1, meterValue: [{ timestamp, sampledValue }] }
checked('a vendor’s member', OCPP16, [2, '1', 'MeterValues', values])
const start = { connectorId: 1, idTag: 'C', meterStart: 0, timestamp, reservationID: 7 }
checked('a name spelled wrong', OCPP16, [2, '2', 'StartTransaction', start])
const boot = { reason: 'PowerUp', chargingStation: { vendorName: 'A', model: 'B', vendorNote: 1 } }
checked('in 2.0.1', OCPP20, [2, '3', 'BootNotification', boot])
JS

node finding.mjs | tee output
diff output - <<'SEEN'
a vendor’s member: valid, and now {"connectorId":1,"meterValue":[{"timestamp":"2026-08-01T12:00:00Z","sampledValue":[{"value":"100","unit":"Wh"}]}]}
a name spelled wrong: valid, and now {"connectorId":1,"idTag":"C","meterStart":0,"timestamp":"2026-08-01T12:00:00Z"}
in 2.0.1: valid, and now {"reason":"PowerUp","chargingStation":{"vendorName":"A","model":"B"}}
SEEN
