import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { bootStation } from './station.ts'

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('messages of a vendor with %s', async (protocol) => {
  const house = await houseOfFile()
  const station = await bootStation(house.ocppUrl, 'CP-1', protocol)
  const send = (vendorId: string, messageId?: string, data?: string) =>
    station.ask('DataTransfer', { vendorId, ...(messageId && { messageId }), ...(data && { data }) })

  it('TIMELINE-T1, TIMELINE-T2, RECORD-D8: are answered as registered, from the next message on', async () => {
    const path = '/2/data-transfers/com.Acme'
    expect(await send('com.acme', 'hello')).toEqual({ status: 'UnknownVendorId' })
    expect((await house.request('GET', path)).status).toBe(404)
    const put = await house.request('PUT', path, { status: 'Accepted', data: 'yes', messageIds: ['hello'] })
    expect([put.status, put.body]).toMatchObject([200, { vendorId: 'com.Acme', messageIds: ['hello'] }])
    expect(await send('com.acme', 'hello')).toEqual({ status: 'Accepted', data: 'yes' })
    expect(await send('com.acme', 'other')).toEqual({ status: 'UnknownMessageId' })
    expect(await send('com.acme')).toEqual({ status: 'UnknownMessageId' })
    await house.request('PUT', path, { status: 'Rejected', data: { a: 1 } })
    const data = protocol === 'ocpp1.6' ? '{"a":1}' : { a: 1 }
    expect(await send('com.acme')).toEqual({ status: 'Rejected', data })
    expect((await house.request('GET', path)).body).toMatchObject({ status: 'Rejected', data: { a: 1 } })
    expect((await house.request('DELETE', path)).status).toBe(204)
    expect((await house.request('DELETE', path)).status).toBe(404)
    expect(await send('com.acme')).toEqual({ status: 'UnknownVendorId' })
  })

  it.each([
    ['com.x', { status: 'Perhaps' }],
    ['com.x', {}],
    ['com.x', { status: 'Accepted', more: 1 }],
    ['com.x', { status: 'Accepted', messageIds: [] }],
    ['a%00b', { status: 'Accepted' }],
    ['a%0Ab', { status: 'Accepted' }],
    ['x'.repeat(256), { status: 'Accepted' }],
  ])('TIMELINE-T2: PUT %s %j is refused', async (vendorId, body) => {
    const { status } = await house.request('PUT', `/2/data-transfers/${vendorId}`, body)
    expect([400, 404, 422]).toContain(status)
  })

  it('TIMELINE-T3: are told to whoever subscribed, whatever they hold', async () => {
    await send('<b>\u0000\u202e', 'm', '<script>')
    await send('big', 'm', 'x'.repeat(70_000))
    const { body } = await house.request('GET', '/2/events?type=data-transfer.received&limit=500')
    const reported = (body.data as { data: Json }[]).map(({ data }) => data).slice(-2)
    expect(reported).toMatchObject([
      {
        evseControllerId: 'CP-1',
        vendorId: '<b>\u202e',
        messageId: 'm',
        data: '<script>',
        status: 'UnknownVendorId',
      },
      { vendorId: 'big', dataOmitted: true },
    ])
  })

  it('HOOK-E2, HOOK-E5, TIMELINE-A6: a subscription names the events that it wants, also later', async () => {
    const { body } = await house.request('POST', '/2/webhooks', {
      url: `http://127.0.0.1:9/${protocol}`,
      events: ['charge-point.status'],
    })
    expect(body.events).toEqual(['charge-point.status'])
    const changed = await house.request('PATCH', `/2/webhooks/${body.id}`, {
      events: ['data-transfer.received', 'session.updated'],
    })
    expect([changed.status, changed.body.events]).toEqual([200, ['session.updated', 'data-transfer.received']])
    expect((await house.request('PATCH', `/2/webhooks/${body.id}`, { events: ['no.such'] })).status).toBe(400)
    await send('after', 'm')
    const { body: deliveries } = await house.request('GET', `/2/webhooks/${body.id}/deliveries`)
    expect(deliveries.data).toMatchObject([{ evseControllerId: 'CP-1' }])
  })
})
