import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json, openHouse, until } from './house.ts'
import { bootStation, type Station } from './station.ts'

const house = await houseOfFile({ PILOTWIRE_FILE_MAX_SIZE: '100000' })

let stations = 0
const newId = (): string => `LOG-${++stations}`
const logsOf = (id: string): string => `/2/evse-controllers/${id}/logs`

function booted(id: string, ocpp: '1.6' | '2.0.1', answer: Json): Promise<Station> {
  return bootStation(house.ocppUrl, id, `ocpp${ocpp}` as const, { answer })
}

/** The address as the charge point has it, on the port of this test. */
function below(location: unknown): string {
  return house.url + new URL(String(location)).pathname
}

const locationIn = (call: Json): string => below(call.location ?? (call.log as Json | undefined)?.remoteLocation)

async function stateOf(id: string, logId: unknown): Promise<Json> {
  return (await house.request('GET', `${logsOf(id)}/${String(logId)}`)).body
}

describe.each([
  ['1.6', 'diagnostics', 'GetDiagnostics', { fileName: 'diag.tar.gz' }],
  ['1.6', 'security', 'GetLog', { status: 'Accepted', filename: 'sec.log' }],
  ['2.0.1', 'diagnostics', 'GetLog', { status: 'Accepted', filename: 'diag.log' }],
  ['2.0.1', 'security', 'GetLog', { status: 'Accepted' }],
] as const)('a log of %s, %s', (ocpp, type, method, answer) => {
  it('FIRMWARE-D1 to FIRMWARE-D3: is asked for, uploaded, and read as it was', async () => {
    const id = newId()
    const station = await booted(id, ocpp, answer)
    const from = '2026-08-01T00:00:00.000Z'
    const made = await house.request('POST', logsOf(id), { type, from })
    expect(made.status).toBe(202)
    expect(made.headers.get('location')).toBe(`${logsOf(id)}/${String(made.body.id)}`)
    expect(made.body).toMatchObject({ evseControllerId: id, type, state: 'requested', from })
    const call = await station.asked(method)
    const times = (call.log as Json | undefined)?.oldestTimestamp ?? call.startTime
    expect(times).toBe(from)
    const location = locationIn(call)
    expect(location).toMatch(/\/files\/[A-Za-z0-9_-]{43}$/)

    const requestId = call.requestId as number | undefined
    const notice = method === 'GetDiagnostics' ? 'DiagnosticsStatusNotification' : 'LogStatusNotification'
    await station.ask(notice, { status: 'Uploading', requestId })
    expect(await stateOf(id, made.body.id)).toMatchObject({ state: 'uploading', status: 'Uploading' })

    const bytes = Buffer.from('line one\nline two\n')
    const put = await fetch(location, { method: 'PUT', body: bytes })
    expect(put.status).toBe(201)
    expect(await stateOf(id, made.body.id)).toMatchObject({ state: 'uploaded', file: { bytes: bytes.length } })
    await station.ask(notice, { status: 'Uploaded', requestId })
    expect(await stateOf(id, made.body.id)).toMatchObject({ state: 'uploaded' })

    const file = await fetch(`${house.url}${logsOf(id)}/${String(made.body.id)}/file`, {
      headers: { authorization: `Bearer ${house.credential}` },
    })
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
    // FIRMWARE-F1: used up.
    expect((await fetch(location, { method: 'PUT', body: bytes })).status).toBe(404)
    expect((await fetch(location)).status).toBe(404)
    const rows = await house.rows(id, { method: [method] })
    expect(JSON.stringify(rows)).not.toContain(location.split('/').at(-1))
  })
})

describe('an upload', () => {
  async function target(): Promise<{ readonly id: string; readonly logId: unknown; readonly location: string }> {
    const id = newId()
    const station = await booted(id, '2.0.1', { status: 'Accepted' })
    const made = await house.request('POST', logsOf(id), { type: 'diagnostics' })
    const location = locationIn(await station.asked('GetLog'))
    await station.close()
    return { id, logId: made.body.id, location }
  }

  const kept = (): readonly string[] => readdirSync(`${house.database}.files`)

  it('FIRMWARE-F5: one that is too large, announced or not, is answered 413 and leaves nothing', async () => {
    const { location, id, logId } = await target()
    const before = kept()
    const announced = await fetch(location, { method: 'PUT', body: Buffer.alloc(100_001) })
    expect(announced.status).toBe(413)
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(10_000))
      },
    })
    const endless = fetch(location, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit)
    // The rest is not read: depending on the moment the sender sees the answer or the end of its connection.
    await endless.then(
      ({ status }) => expect(status).toBe(413),
      () => undefined,
    )
    await until(() => kept().length === before.length)
    expect((await fetch(location, { method: 'PUT', body: 'small' })).status).toBe(201)
    expect(await stateOf(id, logId)).toMatchObject({ state: 'uploaded', file: { bytes: 5 } })
  })

  it('FIRMWARE-F5: one that breaks off leaves nothing, and may be tried again', async () => {
    const { location } = await target()
    const before = kept().length
    const { hostname, port, pathname } = new URL(location)
    const broken = request({ hostname, port, path: pathname, method: 'PUT', headers: { 'content-length': 1000 } })
    broken.on('error', () => undefined)
    broken.write('only this')
    await until(() => kept().length === before + 1)
    broken.destroy()
    await until(() => kept().length === before)
    await until(async () => (await fetch(location, { method: 'PUT', body: 'whole' })).status === 201)
  })

  it('FIRMWARE-F4: a form that is cut short, has no file or no boundary is refused', async () => {
    const { location } = await target()
    const post = async (body: string, type: string) =>
      (await fetch(location, { method: 'POST', body, headers: { 'content-type': type } })).status
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.log"\r\n\r\nabc'
    expect(await post(part, 'multipart/form-data; boundary=b')).toBe(400)
    expect(await post('abc', 'multipart/form-data')).toBe(400)
    const field = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nabc\r\n--b--\r\n'
    expect(await post(field, 'multipart/form-data; boundary=b')).toBe(400)
    expect(await post(`${part}\r\n--b--\r\n`, 'multipart/form-data; boundary=b')).toBe(201)
  })

  it('FIRMWARE-F7: who guesses addresses is answered 429 in the end, who knows one is not', async () => {
    const limited = await openHouse({ PILOTWIRE_RATE_API: '20' })
    try {
      const station = await bootStation(limited.ocppUrl, 'CP1', 'ocpp2.0.1', { answer: { status: 'Accepted' } })
      await limited.request('POST', '/2/evse-controllers/CP1/logs', { type: 'diagnostics' })
      const { pathname } = new URL(locationIn(await station.asked('GetLog')))
      const location = limited.url + pathname
      const guess = async (at: number) => {
        const wrong = `${limited.url}/files/${String(at).padEnd(43, 'x')}`
        return (await fetch(wrong, { method: at % 2 ? 'PUT' : 'GET', ...(at % 2 && { body: 'x' }) })).status
      }
      const statuses: number[] = []
      for (let at = 0; at < 40; at++) statuses.push(await guess(at))
      expect(statuses.slice(0, 20).every((status) => status === 404)).toBe(true)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10)
      expect((await fetch(location, { method: 'PUT', body: 'whole' })).status).toBe(201)
      await station.close()
    } finally {
      await limited.close()
    }
  })

  it('FIRMWARE-F1: nothing else is offered there, and a wrong address has nothing', async () => {
    const { location } = await target()
    expect((await fetch(location)).status).toBe(404)
    expect((await fetch(location, { method: 'DELETE' })).status).toBe(405)
    const wrong = `${location.slice(0, -1)}${location.endsWith('A') ? 'B' : 'A'}`
    expect((await fetch(wrong, { method: 'PUT', body: 'x' })).status).toBe(404)
    expect((await fetch(`${house.url}/files/short`, { method: 'PUT', body: 'x' })).status).toBe(404)
  })
})
