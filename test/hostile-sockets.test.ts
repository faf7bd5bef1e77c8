/** What nobody should send and somebody will: the whole server outlives it, answers it and keeps what it said. */
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { houseOfFile, openHouse, until, untilCounted } from './house.ts'
import { booted16, connectStation } from './station.ts'
import { exchange, textFrame, upgradeRequest } from './support/sockets/ocpp-endpoint.ts'

const house = await houseOfFile()

const statusOf = (answer: string): number => Number(answer.split(' ')[1])

describe('a malformed path or header', () => {
  it.each([
    ['/ocpp/%E0%A4%A', 400],
    ['/ocpp/%', 400],
    ['/ocpp/%00', 400],
    ['/ocpp/%ff%fe', 400],
    [`/ocpp/${'A'.repeat(300)}`, 400],
    ['/ocpp/', 404],
    ['/ocpp/a/b', 404],
    ['/ocpp/a//CP', 404],
    ['/%2e%2e/ocpp/CP', 404],
    ['*', 404],
  ])('OCPP-T2: the upgrade of %s is answered %i and the process goes on', async (target, status) => {
    expect(statusOf(await exchange(house.port, upgradeRequest(target)))).toBe(status)
    expect((await fetch(`${house.url}/healthz`)).status).toBe(200)
  })

  it('a path of OCPP without an upgrade is an ordinary 404', async () => {
    const answer = await fetch(`${house.url}/ocpp/%E0%A4%A`)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  })
})

it.each([false, true])(
  'OCPP-RP12: forty megabytes of one station (compressed: %s) do not stand before the message of another',
  async (perMessageDeflate) => {
    const heavy = await booted16(house.ocppUrl, `HEAVY-${perMessageDeflate}`, { perMessageDeflate })
    const other = await booted16(house.ocppUrl, `BESIDE-${perMessageDeflate}`)
    const payload = { vendorId: 'x', data: 'x'.repeat(1_000_000) }
    const answers = Array.from({ length: 40 }, (_, number) => heavy.call('DataTransfer', payload, `big-${number}`))
    await answers[0]
    for (let count = 0; count < 5; count++) await other.ask('Heartbeat', {})
    expect(heavy.frames.length).toBeLessThan(30)
    for (const answer of answers) expect(await answer).toMatchObject({ 0: 3 })
    expect(heavy.frames.slice(1).map(([, id]) => id)).toEqual(answers.map((_, number) => `big-${number}`))
  },
)

describe('malformed frames', () => {
  const unreadable = ['{', 'null', '[]', '"2"', '[2]', '[2,{},"Heartbeat",{}]', '[2,"x"', '[1e400,"x"]', '\ufeff[2,"b"']

  it('OCPP-RP10: unreadable frames are answered, kept in the log, and the connection stays usable', async () => {
    for (const protocol of ['ocpp1.6', 'ocpp2.0.1'] as const) {
      const station = await connectStation(house.ocppUrl, `UNREADABLE-${protocol}`, protocol)
      for (const text of unreadable) station.send(text)
      await until(() => station.frames.length === unreadable.length)
      for (const frame of station.frames) {
        expect(frame.slice(0, 3)).toEqual([4, '-1', protocol === 'ocpp1.6' ? 'GenericError' : 'RpcFrameworkError'])
      }
      expect((await station.call('Heartbeat', {}))[0]).toBe(4)
      const kept = await house.rows(`UNREADABLE-${protocol}`, { method: 'Malformed' })
      expect(kept.map(({ request }) => request).reverse()).toEqual(unreadable)
      await station.close()
    }
  })

  it.each(['ocpp1.6', 'ocpp2.0.1'] as const)(
    'OCPP-RP11: on %s a CALLRESULTERROR or SEND of OCPP 2.1 is never answered, other numbers as the version says',
    async (protocol) => {
      const station = await connectStation(house.ocppUrl, `TYPES-${protocol}`, protocol)
      for (const text of ['[5,"r","FormatViolation","",{}]', '[6,"s","NotifyPeriodicEventStream",{}]', '[7,"t",{}]'])
        station.send(text)
      const last = await station.call('Heartbeat', {}, 'last')
      const unknown = protocol === 'ocpp1.6' ? [] : [[4, 't', 'MessageTypeNotSupported', expect.any(String), {}]]
      // A station that has not booted may be asked for its boot meanwhile.
      expect(station.frames.filter(([type]) => type !== 2)).toEqual([...unknown, last])
    },
  )

  it('OCPP-DR4: nonsense in numbers, times and ids of transaction messages is answered with CALLRESULT', async () => {
    const station = await booted16(house.ocppUrl, 'NONSENSE')
    const nonsense: readonly [string, string][] = [
      ['StartTransaction', '{"connectorId":-5,"idTag":"","meterStart":1e300,"timestamp":"yesterday"}'],
      ['StartTransaction', '{"connectorId":"one","idTag":"A","meterStart":"","timestamp":17}'],
      ['StopTransaction', '{"transactionId":1e400,"meterStop":-1e400,"timestamp":"0000-00-00T00:00:00Z"}'],
      ['StopTransaction', '{"transactionId":"\\u0000","meterStop":null,"timestamp":"9999-12-31T23:59:59Z"}'],
      [
        'MeterValues',
        '{"connectorId":1,"meterValue":[{"timestamp":"","sampledValue":[{"value":"NaN"},{"value":"OCMF|{}"}]}]}',
      ],
      ['MeterValues', '{"connectorId":1,"transactionId":{},"meterValue":"none"}'],
    ]
    for (const [action, payload] of nonsense) {
      expect(await station.callText(action, payload), payload).toMatchObject({ 0: 3 })
    }
    for (const session of await house.sessions('NONSENSE')) expect(session.energyKwh).toBe(0)
    expect(await house.rows('NONSENSE')).toHaveLength(nonsense.length + 1)
  })

  it('OCPP-SZ1: a frame above the limit closes its own connection with 1009, one just below is kept whole', async () => {
    const [victim, neighbour] = await Promise.all([
      booted16(house.ocppUrl, 'OVERSIZED'),
      booted16(house.ocppUrl, 'NEIGHBOUR'),
    ])
    const data = 'x'.repeat(1_000_000)
    await victim.ask('DataTransfer', { vendorId: 'v', data })
    victim.send(JSON.stringify([2, 'big', 'DataTransfer', { vendorId: 'v', data: 'x'.repeat(1024 * 1024) }]))
    expect((await victim.closed).code).toBe(1009)
    await neighbour.ask('Heartbeat', {})
    await neighbour.close()
    const [row] = await house.rows('OVERSIZED', { method: 'DataTransfer' })
    expect(row?.request).toEqual({ vendorId: 'v', data })
  })
})

describe('floods and dead sockets', () => {
  it('OCPP-CN7: 10,000 messages of a sender that reads no answers are all kept, in order', async () => {
    const station = await booted16(house.ocppUrl, 'FLOOD')
    station.socket.pause()
    const ids = Array.from({ length: 10_000 }, (_, number) => `flood-${number}`)
    for (const id of ids) station.send(`[2,"${id}","Heartbeat",{}]`)
    // Meanwhile others are served as if nothing happened.
    const other = await booted16(house.ocppUrl, 'BYSTANDER')
    await other.ask('Heartbeat', {})
    await other.close()
    station.socket.resume()
    await untilCounted(() => station.frames.length, ids.length + 1)
    expect(station.frames.slice(1).map((frame) => frame[1])).toEqual(ids)
    const stored = (await house.rows('FLOOD', { method: 'Heartbeat' })).map(({ messageId }) => messageId)
    expect(stored.reverse()).toEqual(ids)
  })

  it('OCPP-CN3: a half-open socket is ended after two missed pongs, what it said is kept, and it may come back', async () => {
    const impatient = await openHouse({ PILOTWIRE_OCPP_PING_INTERVAL: '1' })
    const dead = connect(impatient.port, '127.0.0.1')
    const ended = new Promise<void>((resolve) => dead.on('close', () => resolve()))
    // Takes in what comes and never answers a ping: a cable cut behind a switch looks so.
    dead.on('data', () => undefined)
    dead.write(upgradeRequest('/ocpp/HALF-OPEN'))
    dead.write(textFrame('[2,"h","BootNotification",{}]'))
    await ended
    expect(await impatient.rows('HALF-OPEN')).toHaveLength(1)
    await booted16(impatient.ocppUrl, 'HALF-OPEN')
    await impatient.close()
  })

  it('OCPP-CN1: of two sockets with one identity the newer stays; the older is closed and lost nothing', async () => {
    const older = await booted16(house.ocppUrl, 'TWINS')
    const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: new Date().toISOString() }
    older.send(JSON.stringify([2, 'last-word', 'StartTransaction', start]))
    const newer = await connectStation(house.ocppUrl, 'TWINS', 'ocpp1.6')
    expect(await older.closed).toEqual({ code: 1000, reason: 'replaced' })
    expect(await newer.ask('Heartbeat', {})).toHaveProperty('currentTime')
    expect(await house.rows('TWINS', { method: 'StartTransaction' })).toMatchObject([{ messageId: 'last-word' }])
    const { body } = await house.request('GET', '/2/evse-controllers/TWINS')
    expect(body.online).toBe(true)
  })
})
