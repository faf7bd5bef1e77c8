/** Locations on the whole server: what is shown of an EVSE follows real stations of both versions. */
import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json, until } from './house.ts'
import { BOOT_16, BOOT_201, connectStation, eventOf, type Station, startOf } from './station.ts'

const house = await houseOfFile()
const stations: Record<string, Station> = {}
for (const [id, protocol, boot] of [
  ['OLD', 'ocpp1.6', BOOT_16],
  ['NEW', 'ocpp2.0.1', BOOT_201],
] as const) {
  const station = await connectStation(house.ocppUrl, id, protocol, { respond: () => ({ status: 'Accepted' }) })
  await station.ask('BootNotification', boot)
  stations[id] = station
}

const CONNECTOR = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }
const SOCKET = { ...CONNECTOR, maxVoltage: 230, maxAmperage: 32 }
const PLACE = {
  name: 'North',
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
}
const evse = (own: Json): Json => ({ connectors: [SOCKET], ...own })
const put = (id: string, evses: readonly Json[], own: Json = {}) =>
  house.request('PUT', `/2/locations/${id}`, { ...PLACE, evses, ...own })
const get = async (id: string): Promise<Json> => (await house.request('GET', `/2/locations/${id}`)).body
const evsesOf = (location: Json): readonly Json[] => location.evses as readonly Json[]

describe.each([['OLD'], ['NEW']] as const)('a location with the charge point %s', (id) => {
  const location = `at-${id}`
  const say = (status: string): Promise<unknown> => {
    const timestamp = new Date().toISOString()
    const [station, is201] = [stations[id] as Station, id === 'NEW']
    return is201
      ? station.ask('StatusNotification', { timestamp, connectorStatus: status, evseId: 1, connectorId: 1 })
      : station.ask('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp })
  }
  const shown = async (): Promise<readonly [status: unknown, location: string, evse: string, connector: string]> => {
    const found = await get(location)
    const [one] = evsesOf(found)
    const [connector] = (one?.connectors ?? []) as readonly Json[]
    return [one?.status, String(found.lastUpdated), String(one?.lastUpdated), String(connector?.lastUpdated)]
  }

  it('LOCATION-A2, LOCATION-A3: its status follows at once, and its times rise with it, but not those of connectors', async () => {
    await say('Available')
    expect((await put(location, [evse({ uid: `uid-${id}`, evseControllerId: id, ocppEvseId: 1 })])).status).toBe(201)
    let before = await shown()
    expect(before[0]).toBe('AVAILABLE')
    const expectNext = async (status: string): Promise<void> => {
      const now = await shown()
      expect(now[0]).toBe(status)
      expect(now[1] > before[1] && now[2] > before[2]).toBe(true)
      expect([now[1], now[3]]).toEqual([now[2], before[3]])
      before = now
    }
    const idToken = { idToken: 'CARD', type: 'ISO14443' }
    await say(id === 'NEW' ? 'Occupied' : 'Preparing')
    await expectNext('BLOCKED')
    if (id === 'NEW') await stations.NEW?.ask('TransactionEvent', eventOf('Started', 0, { idToken }))
    else await stations.OLD?.ask('StartTransaction', startOf({ idTag: 'CARD' }))
    await expectNext('CHARGING')
    await say(id === 'NEW' ? 'Occupied' : 'SuspendedEVSE')
    expect(await shown()).toEqual(before)
    await say('Faulted')
    await expectNext('OUTOFORDER')
    await say('Unavailable')
    await expectNext('INOPERATIVE')
    await say('Available')
    await expectNext('AVAILABLE')
  })

  it('LOCATION-A2: a reservation shows it as reserved until it is over', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const place = id === 'NEW' ? { evseId: 1 } : { connectorId: 1 }
    const order = { evseControllerId: id, ...place, idToken: 'OTHER', expiresAt }
    const { body } = await house.request('POST', '/2/reservations', order)
    await until(async () => (await shown())[0] === 'RESERVED')
    await house.request('DELETE', `/2/reservations/${body.id}`)
    await until(async () => (await shown())[0] === 'AVAILABLE')
  })

  it('LOCATION-A3: each change is one event of its charge point', async () => {
    const { body } = await house.request('GET', '/2/events?type=location.updated&limit=500')
    const ofThis = (body.data as readonly { readonly data: Json }[]).filter(({ data }) => data.locationId === location)
    expect(ofThis.map(({ data }) => data.status ?? 'owner')).toEqual([
      'owner',
      'BLOCKED',
      'CHARGING',
      'OUTOFORDER',
      'INOPERATIVE',
      'AVAILABLE',
      'RESERVED',
      'AVAILABLE',
    ])
    expect(ofThis[1]?.data).toMatchObject({ evseUid: `uid-${id}`, evseControllerId: id, previousStatus: 'AVAILABLE' })
  })
})

it('LOCATION-A1, LOCATION-A5: an EVSE of a charge point, an EVSE id and a uid belong to one location, and what is not there is named', async () => {
  const codes = async (evses: readonly Json[]): Promise<unknown> => {
    const { status, body } = await put('second', evses)
    return [status, body.code, (body.errors as readonly Json[] | undefined)?.map(({ pointer }) => pointer)]
  }
  await put('first', [evse({ uid: 'first-1', evseId: 'DE*ABC*E1*1' })])
  expect(await codes([evse({ evseControllerId: 'OLD' })])).toEqual([
    409,
    'evse_elsewhere',
    ['/evses/0/evseControllerId'],
  ])
  expect(await codes([evse({}), evse({ evseId: 'deabce11' })])).toEqual([409, 'evse_elsewhere', ['/evses/1/evseId']])
  expect(await codes([evse({ uid: 'FIRST-1' })])).toEqual([409, 'evse_elsewhere', ['/evses/0/uid']])
  const twice = [evse({ evseId: 'DE*ABC*E2' }), evse({ evseId: 'DE*ABC*E2' })]
  expect(await codes(twice)).toEqual([422, 'duplicate_evse', ['/evses/1/evseId']])
  expect(await codes([evse({ connectors: [SOCKET, SOCKET] })])).toEqual([422, 'invalid_value', ['/evses/0/connectors']])
  expect(await codes([evse({ evseControllerId: 'GONE' })])).toEqual([
    422,
    'unknown_charge_point',
    ['/evses/0/evseControllerId'],
  ])
  expect(await codes([evse({ parking: [{ parkingId: 'P' }] })])).toEqual([
    422,
    'unknown_parking_place',
    ['/evses/0/parking/0/parkingId'],
  ])
  expect(await codes([evse({ status: 'AVAILABLE' })])).toEqual([400, 'unknown_field', ['/evses/0/status']])
  const long = await put('second', [], { address: 'x'.repeat(256), country: 'DE', helpPhone: '1'.repeat(26) })
  expect((long.body.errors as readonly Json[]).map(({ pointer }) => pointer)).toEqual([
    '/address',
    '/country',
    '/helpPhone',
  ])
  expect((await house.request('GET', '/2/locations/second')).status).toBe(404)
})

it('LOCATION-A1, LOCATION-A3: it is changed by members, keeps its EVSEs, and is gone once it is deleted', async () => {
  const made = await put('third', [evse({ evseId: 'DE*ABC*E3' }), evse({ uid: 'third-2' })], { helpPhone: '+49 511 1' })
  expect(made.status).toBe(201)
  const uid = evsesOf(made.body)[0]?.uid
  expect(
    (await put('third', [evse({ evseId: 'DE*ABC*E3' }), evse({ uid: 'third-2' })], { helpPhone: '+49 511 1' })).body,
  ).toEqual(made.body)
  const closings = [{ periodBegin: '2026-12-24T12:00:00.000Z', periodEnd: '2026-12-27T00:00:00.000Z' }]
  const openingTimes = { twentyfourseven: true, exceptionalClosings: closings }
  const changed = await house.request('PATCH', '/2/locations/third', { openingTimes, helpPhone: null, publish: true })
  expect(changed.body).toMatchObject({ openingTimes, publish: true, evses: made.body.evses })
  expect(changed.body).not.toHaveProperty('helpPhone')
  expect(String(changed.body.lastUpdated) > String(made.body.lastUpdated)).toBe(true)
  const fewer = await house.request('PATCH', '/2/locations/third', { evses: [evse({ uid: 'third-2' })] })
  expect(evsesOf(fewer.body).map((one) => [one.uid, one.status])).toEqual([
    ['third-2', 'PLANNED'],
    [uid, 'REMOVED'],
  ])
  expect((await house.request('PATCH', '/2/locations/third', { address: null })).status).toBe(400)
  const list = (query: string) => house.list(`/2/locations?${query}`)
  expect((await list('country=DEU&q=THIR')).map(({ id }) => id)).toEqual(['third'])
  expect(await list('country=FRA')).toEqual([])
  const first = await house.request('GET', '/2/locations?limit=2')
  const next = encodeURIComponent(String((first.body.meta as Json).nextCursor))
  const all = [...(first.body.data as Json[]), ...(await list(`limit=2&cursor=${next}`))].map(({ id }) => id)
  expect(all).toEqual(['at-NEW', 'at-OLD', 'first', 'third'])
  expect((await house.request('DELETE', '/2/locations/third')).status).toBe(204)
  expect((await house.request('GET', '/2/locations/third')).status).toBe(404)
  expect((await house.request('DELETE', '/2/locations/third')).status).toBe(404)
  const again = await put('third', [evse({ evseId: 'DEABCE3' })])
  expect([again.status, evsesOf(again.body)[0]?.uid]).toEqual([201, uid])
})

it('LOCATION-A3: the EVSEs of a charge point that is deleted are removed', async () => {
  const station = await connectStation(house.ocppUrl, 'SHORT', 'ocpp1.6')
  await station.ask('BootNotification', BOOT_16)
  await put('short', [evse({ evseControllerId: 'SHORT' }), evse({})])
  expect((await house.request('DELETE', '/2/evse-controllers/SHORT')).status).toBe(204)
  expect(evsesOf(await get('short')).map(({ status }) => status)).toEqual(['PLANNED', 'REMOVED'])
})

const file = async (method: string, path: string, body?: string) => {
  const headers = { authorization: `Bearer ${house.credential}`, 'content-type': 'text/csv' }
  const answer = await fetch(`${house.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const WHOLE = {
  helpPhone: '+49 511 123',
  accessibility: 'No steps, "wide" doors',
  operator: { name: 'Nord, Strom' },
  facilities: ['WIFI', 'CAFE'],
  openingTimes: {
    twentyfourseven: false,
    regularHours: [{ weekday: 1, periodBegin: '08:00', periodEnd: '20:00' }],
    exceptionalOpenings: [{ periodBegin: '2026-12-24T12:00:00.000Z', periodEnd: '2026-12-24T14:00:00.000Z' }],
  },
  parkingPlaces: [{ id: 'P1', vehicleTypes: ['VAN'], restrictedToType: true, reservationRequired: false }],
}

it('LOCATION-A6: what is exported, as CSV and as OCPI, changes nothing when it is imported again', async () => {
  const two = { connectors: [SOCKET, { ...SOCKET, connectorId: '2', tariffIds: ['T 1', 'T2'] }] }
  await put('whole', [evse({ evseId: 'DE*ABC*E9', parking: [{ parkingId: 'P1' }], ...two }), evse({})], WHOLE)
  for (const format of ['csv', 'ocpi']) {
    const before = (await house.request('GET', '/2/locations?limit=500')).text
    const { text, headers } = await file('GET', `/2/locations/export?format=${format}`)
    expect(headers.get('content-disposition')).toContain('attachment')
    const again = await file('POST', `/2/locations/import?format=${format}`, text)
    expect([again.status, JSON.parse(again.text)]).toEqual([200, { created: 0, changed: 0, unchanged: 6 }])
    expect((await house.request('GET', '/2/locations?limit=500')).text).toBe(before)
  }
})

it('LOCATION-A6: a file of OCPI has its names and texts, and times with and without Z', async () => {
  const [whole] = (JSON.parse((await file('GET', '/2/locations/export?format=ocpi')).text) as Json[]).filter(
    ({ id }) => id === 'whole',
  )
  expect(whole).toMatchObject({
    coordinates: { latitude: '52.375900', longitude: '9.732000' },
    time_zone: 'Europe/Berlin',
    country: 'DEU',
    evses: [{ evse_id: 'DE*ABC*E9', status: 'PLANNED', connectors: [{ id: '1', max_voltage: 230 }, { id: '2' }] }, {}],
  })
  expect(whole).not.toHaveProperty('accessibility')
  const sent = {
    ...whole,
    id: 'foreign',
    related_locations: [],
    evses: [{ ...evse({}), uid: 'gone', status: 'REMOVED' }],
  }
  const text = JSON.stringify([sent]).replace('12:00:00.000Z', '12:00:00')
  expect((await file('POST', '/2/locations/import?format=ocpi', text)).text).toContain('"created":1')
  const found = await get('foreign')
  const openingTimes = JSON.parse(JSON.stringify(WHOLE.openingTimes).replace('12:00:00.000Z', '12:00:00Z'))
  expect(found).toMatchObject({ evses: [], openingTimes })
})

it('LOCATION-A6: with any fault nothing is taken, and each is named by its place', async () => {
  const faults = async (format: string, text: string): Promise<unknown> => {
    const { status, text: answer } = await file('POST', `/2/locations/import?format=${format}`, text)
    const { errors = [] } = JSON.parse(answer) as { readonly errors?: readonly Json[] }
    return [status, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)]
  }
  const good = { ...PLACE, id: 'good', evses: [{ uid: 'g', connectors: [{ ...SOCKET, id: '1' }] }] }
  const snaked = (one: object): object =>
    JSON.parse(
      JSON.stringify(one).replaceAll(/"[a-z]+[A-Z][A-Za-z]*":/g, (name) =>
        name.replaceAll(/[A-Z]/g, '_$&').toLowerCase(),
      ),
    )
  const { connectorId: _, ...socket } = SOCKET
  const evses = (own: object) => [{ uid: 'g', connectors: [{ ...socket, id: '1' }], ...own }]
  const one = snaked({ ...good, evses: evses({}) })
  expect(
    await faults('ocpi', JSON.stringify([one, snaked({ ...good, id: 'b c', evses: evses({}) }), { id: 'x' }])),
  ).toEqual([
    422,
    '/1/id invalid_value',
    ...['address', 'city', 'country', 'coordinates', 'timeZone'].map((name) => `/2/${name} required`),
  ])
  expect(await faults('ocpi', JSON.stringify([one, snaked({ ...good, id: 'other', evses: evses({}) })]))).toEqual([
    422,
    '/1/evses/0/uid duplicate_evse',
  ])
  expect(await faults('ocpi', JSON.stringify([snaked({ ...good, evses: evses({ evseId: 'DEABCE9' }) })]))).toEqual([
    409,
    '/0/evses/0/evseId evse_elsewhere',
  ])
  for (const text of ['', '{}', '[1]', '[{"id":"a"}', '["a"]', '['.repeat(99), '[{]}']) {
    expect(((await faults('ocpi', text)) as unknown[])[0]).toBe(422)
  }
  expect(await faults('csv', 'id,colour\r\nx,1\r\n')).toEqual([422, '/csv/1 invalid_value', '/csv/1 invalid_value'])
  const csv = [
    'id;address;city;country;latitude;longitude;timeZone;uid;connectorId;standard;format;powerType;maxVoltage;maxAmperage',
    'good;"A;\n1";B;DEU;52;9;UTC;u1;1;IEC_62196_T2;SOCKET;DC;400;x',
    'good;;C;;;;;u1;2;IEC_62196_T2;SOCKET;DC;400;100',
    'late;A;B;DEU;52;9;UTC;u2;1;IEC_62196_T2;SOCKET;DC;400;',
  ]
  expect(await faults('csv', csv.join('\n'))).toEqual([
    422,
    '/csv/2 invalid_value',
    '/csv/4 invalid_value',
    '/csv/5/evses/0/connectors/0/maxAmperage required',
  ])
  for (const id of ['good', 'other', 'late']) expect((await get(id)).status).toBe(404)
  const mended = csv.join('\n').replace(';x\n', ';125\n').replace(';C;', ';;').concat('100').replace('A;\n1', 'A;1')
  expect(await faults('csv', mended)).toEqual([200])
  expect((await get('good')).evses).toMatchObject([
    { uid: 'u1', connectors: [{ maxAmperage: 125 }, { maxAmperage: 100 }] },
  ])
  expect((await get('good')).address).toBe('A;1')
})

it('LOCATION-A6: texts that look guarded against spreadsheets by themselves come back as they were', async () => {
  const names = ["'=A", '\uFF1DA', "''=A", '=A', "'A", '-5', "'-5"]
  for (const [at, name] of names.entries()) await put(`guard-${at}`, [], { name })
  const { text } = await file('GET', '/2/locations/export?format=csv')
  expect(text).not.toMatch(/,[=\uFF1D]A/)
  const again = await file('POST', '/2/locations/import?format=csv', text)
  expect(JSON.parse(again.text)).toMatchObject({ created: 0, changed: 0 })
  for (const [at, name] of names.entries()) expect((await get(`guard-${at}`)).name).toBe(name)
  for (const at of names.keys()) await house.request('DELETE', `/2/locations/guard-${at}`)
})

it('LOCATION-A6: a file with deep JSON or endless rows of a location is refused, not a fault of ours', async () => {
  const deep = `id,connectorId,directions\na,1,${'['.repeat(200_000)}${']'.repeat(200_000)}\n`
  const wide = `id,connectorId\n${'a,1\n'.repeat(60_000)}`
  for (const [text, fault] of [
    [deep, '/csv/2 directions must be'],
    [wide, '/csv/50002 is one of over 50000'],
  ] as const) {
    const answer = await file('POST', '/2/locations/import?format=csv', text)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain(fault)
  }
})

it('LOCATION-A6: a large file is read as it comes, and one that is too large is refused', async () => {
  const many = Array.from({ length: 3000 }, (_, at) => {
    const connectors = [
      { id: '1', standard: 'IEC_62196_T2', format: 'SOCKET', power_type: 'DC', max_voltage: 400, max_amperage: 99 },
    ]
    const { timeZone: time_zone, ...place } = PLACE
    return {
      ...place,
      time_zone,
      id: `many-${at}`,
      evses: [
        { uid: `many-${at}-1`, connectors },
        { uid: `many-${at}-2`, connectors },
      ],
    }
  })
  const { status, text } = await file('POST', '/2/locations/import?format=ocpi', JSON.stringify(many))
  expect([status, JSON.parse(text)]).toEqual([200, { created: 3000, changed: 0, unchanged: 0 }])
  const large = await file(
    'POST',
    '/2/locations/import?format=csv',
    'id,connectorId\r\n'.padEnd(64 * 1024 * 1024 + 1, '\n'),
  )
  expect([large.status, (JSON.parse(large.text) as Json).code]).toEqual([413, 'file_too_large'])
})
