#!/usr/bin/env bash
# @road-labs/ocmf 0.0.9 with @road-labs/ocmf-crypto-noble 0.0.9.
# In OCMF the digits of a reading are part of the statement: 1.500 kWh was read to a watt-hour, 1.5 kWh was not. The
# format forbids writing the number anew. The verifier checks the text that was signed, yet returns the readings as
# numbers of JavaScript, so a record of 1.500 comes back verified as 1.5, and written again it is invalid. The signer
# takes numbers only, so it cannot sign a reading that ends in a zero at all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @road-labs/ocmf@0.0.9 @road-labs/ocmf-crypto-noble@0.0.9 >&2

cat >finding.mjs <<'JS'
import { generateKeyPairSync, sign } from 'node:crypto'
import noble from '@road-labs/ocmf-crypto-noble'
import ocmf from '@road-labs/ocmf'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const crypto = new noble.Crypto()
const key = await crypto.decodeEcPublicKey(publicKey.export({ type: 'spki', format: 'der' }), 'spki-der')
const verify = (record) => new ocmf.Verifier(crypto).parseAndVerify(record, key)

const reading = '{"TM":"2026-08-01T12:00:00,000+0000 S","TX":"E","RV":1.500,"RI":"01-00:B1.08.00*FF","RU":"kWh","ST":"G"}'
const payload = `{"FV":"1.4","GS":"1","PG":"T1","MS":"1","IS":false,"IT":"NONE","RD":[${reading}]}`
const SD = sign('sha256', Buffer.from(payload), privateKey).toString('hex')
const { verified, value } = await verify(`OCMF|${payload}|{"SD":"${SD}"}`)
console.log('a record of 1.500 is verified:', verified)
console.log('the reading that is returned:', JSON.stringify(value.payloadData.RD[0].RV))
const again = await verify(`OCMF|${JSON.stringify(value.payloadData)}|{"SD":"${SD}"}`)
console.log('what was returned, written again, is verified:', again.verified)

// Only the text that it writes counts: the signature is a stand-in (for its keys see ocmf-js-refuses-usual-keys.sh).
const signer = new ocmf.Signer({ sign: async () => new Uint8Array([0]) })
const signed = await signer.sign(value.payloadData, { getCurve: () => 'secp256r1' }, 'ECDSA-secp256r1-SHA256')
console.log('the signer writes:', /"RV":[^,]*/.exec(signed)[0])
JS

node finding.mjs | tee output
diff output - <<'SEEN'
a record of 1.500 is verified: true
the reading that is returned: 1.5
what was returned, written again, is verified: false
the signer writes: "RV":1.5
SEEN
