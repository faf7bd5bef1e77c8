#!/usr/bin/env bash
# @road-labs/ocmf-crypto-noble 0.0.9.
# Its one form of a private key is PKCS#8, and it looks for the curve in the inner structure alone. Node.js (by OpenSSL)
# and its WebCrypto name the curve only in the outer one, beside the algorithm: each key that they write is refused as
# having no named curve. The same key is taken once its curve is repeated inside. Public keys of all are read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @road-labs/ocmf-crypto-noble@0.0.9 >&2

cat >finding.mjs <<'JS'
import { generateKeyPairSync, webcrypto } from 'node:crypto'
import noble from '@road-labs/ocmf-crypto-noble'

const crypto = new noble.Crypto()
const said = (read) => read.then((key) => `read as a key on ${key.getCurve()}`, (error) => `refused: ${error.message}`)
const privateKey = (der) => said(crypto.decodeEcPrivateKey(new Uint8Array(der), 'pkcs8-der'))

const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
console.log('Node.js:', await privateKey(pkcs8))
const subtle = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
console.log('WebCrypto:', await privateKey(await webcrypto.subtle.exportKey('pkcs8', subtle.privateKey)))

// The same key with its curve inside as well: the SEC1 structure, which names it, within the same outer one.
const sec1 = pair.privateKey.export({ type: 'sec1', format: 'der' })
const lengthOf = ({ length }) => (length < 128 ? [length] : [0x81, length])
const tagged = (tag, bytes) => Buffer.concat([Buffer.from([tag, ...lengthOf(bytes)]), bytes])
const VERSION_AND_ALGORITHM = 24
const head = pkcs8.subarray(3, 3 + VERSION_AND_ALGORITHM)
console.log('with the curve inside, too:', await privateKey(tagged(0x30, Buffer.concat([head, tagged(0x04, sec1)]))))
const spki = pair.publicKey.export({ type: 'spki', format: 'der' })
console.log('the public key:', await said(crypto.decodeEcPublicKey(new Uint8Array(spki), 'spki-der')))
JS

node finding.mjs | tee output
diff output - <<'SEEN'
Node.js: refused: Named curve not specified
WebCrypto: refused: Named curve not specified
with the curve inside, too: read as a key on secp256r1
the public key: read as a key on secp256r1
SEEN
