import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { manualClock } from '../../test/support/clock.ts'
import {
  basic,
  PASSWORD,
  type RunningEndpoint,
  registered,
  startEndpoint,
} from '../../test/support/sockets/ocpp-endpoint.ts'
import { CERTIFICATES } from '../../test/support/sockets/tls.ts'
import { type CertificateFiles, tlsOptions, watchCertificates } from './tls.ts'

let folder: string
let running: RunningEndpoint | undefined
let files: { certFile: string; keyFile: string }
let pair: CertificateFiles

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tls-'))
  files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  pair = { certFiles: [files.certFile], keyFiles: [files.keyFile] }
  renew('first')
})

afterEach(async () => {
  await running?.stop()
  running = undefined
  rmSync(folder, { recursive: true })
})

/** As renewal tools do it: a new file takes the place of the old one. */
function renew(name: keyof typeof CERTIFICATES): void {
  for (const [file, text] of [
    [files.certFile, CERTIFICATES[name].cert],
    [files.keyFile, CERTIFICATES[name].key],
  ] as const) {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
}

function handshake(port: number, options: ConnectionOptions = {}): Promise<{ subject: string; cipher: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve({ subject: String(socket.getPeerCertificate().subject.CN), cipher: socket.getCipher().name })
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

it('OCPP-TL1: profile 2 connects on the same port as everybody else, encrypted by us', async () => {
  running = await startEndpoint({}, createServer(tlsOptions(pair)))
  running.core.chargePoints.set('CP1', registered('CP1', { securityProfile: 2 }))
  const socket = new WebSocket(`wss://127.0.0.1:${running.port}/ocpp/CP1`, ['ocpp1.6'], {
    headers: { authorization: basic('CP1', PASSWORD) },
    rejectUnauthorized: false,
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  expect(running.core.requests).toMatchObject([{ secure: true }])
})

it('OCPP-TL2: TLS 1.2 is the lowest, with the suites that stations must speak', async () => {
  running = await startEndpoint({}, createServer(tlsOptions(pair)))
  const { port } = running
  const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await expect(handshake(port, old)).rejects.toThrow()
  for (const ciphers of ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384']) {
    expect((await handshake(port, { maxVersion: 'TLSv1.2', ciphers })).cipher).toBe(ciphers)
  }
  const weak = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' } as const
  await expect(handshake(port, weak)).rejects.toThrow()
})

it('OCPP-TL2 (TC_A_04, A00.FR.318): with an ECDSA and an RSA certificate each of the four required suites is spoken', async () => {
  const rsa = { certFile: join(folder, 'rsa.crt'), keyFile: join(folder, 'rsa.key') }
  writeFileSync(rsa.certFile, CERTIFICATES.rsa.cert)
  writeFileSync(rsa.keyFile, CERTIFICATES.rsa.key)
  const both = { certFiles: [files.certFile, rsa.certFile], keyFiles: [files.keyFile, rsa.keyFile] }
  running = await startEndpoint({}, createServer(tlsOptions(both)))
  const required = [
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'AES128-GCM-SHA256',
    'AES256-GCM-SHA384',
  ]
  for (const ciphers of required) {
    expect((await handshake(running.port, { maxVersion: 'TLSv1.2', ciphers })).cipher).toBe(ciphers)
  }
  expect((await handshake(running.port)).cipher).toMatch(/^TLS_/)
})

it('OCPP-TL1: a renewed certificate is used without a restart, a broken one is reported', async () => {
  const clock = manualClock(0)
  const reports: (Error | undefined)[] = []
  const server = createServer(tlsOptions(pair))
  running = await startEndpoint({}, server)
  const { port } = running
  const stop = watchCertificates(server, pair, clock, (error) => reports.push(error))
  const settled = (count: number) =>
    expect
      .poll(() => {
        clock.advance(1000)
        return reports.length
      })
      .toBeGreaterThanOrEqual(count)
  expect((await handshake(port)).subject).toBe('first.example')
  renew('second')
  await expect
    .poll(async () => {
      clock.advance(1000)
      return (await handshake(port)).subject
    })
    .toBe('second.example')
  // OpenSSL takes the key of another kind of certificate, and then no handshake succeeds.
  for (const broken of ['no certificate', CERTIFICATES.rsa.cert]) {
    const reported = reports.length
    writeFileSync(files.certFile, broken)
    await settled(reported + 1)
    expect(reports.at(-1)).toBeInstanceOf(Error)
    expect((await handshake(port)).subject).toBe('second.example')
  }
  stop()
})
