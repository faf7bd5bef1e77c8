/** Firmware and logs of a station, against a central system that is not Pilotwire and a file server of the test. */
import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { CERTIFICATES } from '../test/support/sockets/tls.ts'
import { booted, cleanUp, eventually, tidy } from './network.testing.ts'

afterEach(tidy)

const IMAGE = Buffer.from(`version 4.5.6\n${'firmware '.repeat(40_000)}`)
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

interface Files {
  readonly url: string
  readonly requests: { readonly method: string; readonly range?: string; readonly body: string }[]
}

async function fileServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Files> {
  const requests: { method: string; range?: string; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    const { range } = request.headers
    request.on('data', (part: Buffer) => {
      body = (body + part.toString()).slice(0, 10_000)
    })
    request.on('end', () => {
      requests.push({ method: request.method ?? '', body, range })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/image.bin`, requests }
}

function serveImage({ headers }: IncomingMessage, response: ServerResponse): void {
  const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
  const part = IMAGE.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, { etag: '"v1"', 'content-length': String(part.length) })
  response.end(part)
}

/** On a busy machine the clock of a station is seconds behind ours. */
const anHourAgo = () => new Date(Date.now() - 3600_000).toISOString()

it.each(['1.6', '2.0.1'] as const)('SIM-N4: %s: a download that breaks off goes on where it was', async (ocpp) => {
  const files = await fileServer(serveImage)
  const { ask, cp, reported } = await booted(ocpp, { quirks: ['breaks-off-download'] })
  const request = { location: files.url, retries: 2, retryInterval: 0 }
  if (ocpp === '1.6') await ask('UpdateFirmware', { ...request, retrieveDate: anHourAgo() })
  else {
    const { location, ...rest } = request
    await ask('UpdateFirmware', { ...rest, requestId: 4, firmware: { location, retrieveDateTime: anHourAgo() } })
  }
  await cp.wait(120)
  expect(files.requests.map(({ range }) => range !== undefined)).toEqual([false, true])
  expect(cp.state.firmwareVersion).toBe('4.5.6')
  const statuses = reported('FirmwareStatusNotification').map(({ status }) => status)
  expect(statuses).toEqual(
    ocpp === '1.6'
      ? ['Downloading', 'Downloading', 'Downloaded', 'Installing', 'Installed']
      : ['Downloading', 'DownloadPaused', 'Downloading', 'Downloaded', 'Installing', 'InstallRebooting', 'Installed'],
  )
})

it('SIM-N4: a signature that is not the file’s is refused, with a security event; so is a certificate that is none', async () => {
  const files = await fileServer(serveImage)
  const { ask, cp, reported } = await booted('1.6')
  const order = (signature: string, signingCertificate: string, requestId: number) => ({
    requestId,
    firmware: { location: files.url, retrieveDateTime: anHourAgo(), signature, signingCertificate },
  })
  const wrong = createSign('sha256').update(IMAGE).sign(privateKey, 'base64')
  const right = createSign('sha256').update(IMAGE).sign(CERTIFICATES.rsa.key, 'base64')
  const { cert } = CERTIFICATES.rsa
  expect(await ask('SignedUpdateFirmware', order(wrong, 'none', 1))).toEqual({ status: 'InvalidCertificate' })
  expect(await ask('SignedUpdateFirmware', order(wrong, cert, 2))).toEqual({ status: 'Accepted' })
  await cp.wait(120)
  const statuses = () => reported('SignedFirmwareStatusNotification').map(({ status }) => status)
  expect(statuses()).toEqual(['Downloading', 'Downloaded', 'InvalidSignature'])
  expect(reported('SecurityEventNotification').map(({ type }) => type)).toEqual([
    'InvalidFirmwareSigningCertificate',
    'InvalidFirmwareSignature',
  ])
  expect(await ask('SignedUpdateFirmware', order(right, cert, 3))).toEqual({ status: 'Accepted' })
  await cp.wait(120)
  const good = 'Downloading Downloaded SignatureVerified Installing InstallRebooting Installed'
  expect(statuses().slice(3).join(' ')).toBe(good)
})

it('SIM-N4: an update waits for its hour and for the end of the charge, and a newer one takes its place', async () => {
  const files = await fileServer(serveImage)
  const { ask, cp, reported } = await booted('2.0.1')
  await cp.plug(1)
  await cp.swipe(1, 'CARD')
  const firmware = { location: files.url, retrieveDateTime: anHourAgo() }
  const later = { ...firmware, retrieveDateTime: new Date(Date.now() + 3600_000).toISOString() }
  expect(await ask('UpdateFirmware', { requestId: 1, firmware: later })).toEqual({ status: 'Accepted' })
  await eventually(async () => {
    await cp.wait(1)
    expect(reported('FirmwareStatusNotification')).toMatchObject([{ status: 'DownloadScheduled' }])
  })
  expect(await ask('UpdateFirmware', { requestId: 2, firmware })).toEqual({ status: 'AcceptedCanceled' })
  await cp.wait(600)
  expect(reported('FirmwareStatusNotification').at(-1)).toEqual({ status: 'InstallScheduled', requestId: 2 })
  await cp.swipe(1, 'CARD')
  await cp.wait(120)
  expect(reported('FirmwareStatusNotification').at(-1)).toEqual({ status: 'Installed', requestId: 2 })
  expect(reported('TransactionEvent').at(-1)).toMatchObject({ transactionInfo: { stoppedReason: 'Local' } })
})

it('SIM-N4: a log is what happened at the station, by PUT, or by POST where PUT is unknown', async () => {
  const files = await fileServer(({ method }, response) => response.writeHead(method === 'PUT' ? 405 : 201).end())
  const { ask, cp, reported } = await booted('2.0.1')
  const log = { remoteLocation: files.url }
  expect(await ask('GetLog', { requestId: 5, logType: 'DiagnosticsLog', log })).toMatchObject({ status: 'Accepted' })
  await cp.wait(30)
  expect(files.requests.map(({ method }) => method)).toEqual(['PUT', 'POST'])
  expect(files.requests[1]?.body).toContain('asked for GetLog')
  expect(reported('LogStatusNotification')).toEqual([
    { status: 'Uploading', requestId: 5 },
    { status: 'Uploaded', requestId: 5 },
  ])
})

it('SIM-N4: a second GetLog ends the first one', async () => {
  const files = await fileServer((_, response) => response.writeHead(201).end())
  const { ask, cp, reported } = await booted('2.0.1')
  const request = { logType: 'SecurityLog', log: { remoteLocation: files.url } }
  await ask('GetLog', { requestId: 5, ...request })
  expect(await ask('GetLog', { requestId: 6, ...request })).toMatchObject({ status: 'AcceptedCanceled' })
  await cp.wait(30)
  const statuses = reported('LogStatusNotification').map(({ requestId, status }) => `${requestId} ${status}`)
  expect(statuses.sort()).toEqual(['5 AcceptedCanceled', '5 Uploading', '6 Uploaded', '6 Uploading'].sort())
})
