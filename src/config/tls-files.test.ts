import { expect, it } from 'vitest'
import { CERTIFICATES } from '../../test/support/sockets/tls.ts'
import { tlsFaults } from './pem-files.ts'
import { faultSentence } from './setting.ts'

const { first, second, rsa } = CERTIFICATES
const FILES: Readonly<Record<string, string>> = {
  '/ec.crt': first.cert,
  '/ec.key': first.key,
  '/other.key': second.key,
  '/rsa.crt': rsa.cert,
  '/rsa.key': rsa.key,
  '/both.pem': rsa.key + rsa.cert,
  '/der': 'DER',
}

function faults(certFiles: string, keyFiles: string): readonly string[] {
  const split = (paths: string): readonly string[] | undefined => (paths === '' ? undefined : paths.split(','))
  const [tlsCertFiles, tlsKeyFiles] = [split(certFiles), split(keyFiles)]
  const settings = { tlsCertFiles, tlsKeyFiles }
  return tlsFaults(settings, (path) => {
    const text = FILES[path]
    if (text === undefined) throw new Error('ENOENT')
    return text
  }).map(faultSentence)
}

// OCPP-TL1, OCPP-TL2: the certificate files
it.each([
  ['', ''],
  ['/ec.crt', '/ec.key'],
  ['/both.pem', '/both.pem'],
  ['/ec.crt,/rsa.crt', '/ec.key,/rsa.key'],
])('certificates %j with keys %j are sound', (certFiles, keyFiles) => {
  expect(faults(certFiles, keyFiles)).toEqual([])
})

it.each([
  ['/ec.crt', '/rsa.key', 'KEY_FILE is "/rsa.key": expected the private key of the certificate'],
  ['/ec.crt', '/other.key', 'KEY_FILE is "/other.key": expected the private key of the certificate'],
  ['/ec.crt,/rsa.crt', '/rsa.key,/ec.key', 'KEY_FILE is "/rsa.key": expected the private key of the certificate'],
  ['/der', '/ec.key', 'CERT_FILE is "/der": expected a certificate in PEM'],
  ['/ec.crt', '/ec.crt', 'KEY_FILE is "/ec.crt": expected a private key in PEM'],
  ['/ec.crt', '/nowhere', 'KEY_FILE is "/nowhere": expected a readable file, but ENOENT'],
  ['/ec.crt,/rsa.crt', '/ec.key', 'KEY_FILE is not set: expected together with its other half'],
  ['', '/ec.key', 'CERT_FILE is not set: expected together with its other half'],
])('certificates %j with keys %j stop the start', (certFiles, keyFiles, sentence) => {
  expect(faults(certFiles, keyFiles)[0]).toContain(`PILOTWIRE_TLS_${sentence}`)
})
