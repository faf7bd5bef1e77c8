import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { booted16, booted201, eventOf, type Station, startOf } from './station.ts'
import { BEGIN, END, meterOn } from './support/domain/signed-values/testing.ts'

const house = await houseOfFile()

const meter = meterOn('secp256k1', 'ECDSA-secp256k1-SHA256')
const begin = meter.record([BEGIN])
const end = meter.record([END])
const whole = meter.record([BEGIN, END])
const STARTED = '2026-08-01T12:00:00.000Z'
const STOPPED = '2026-08-01T13:00:00.000Z'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const oca = (data: string, publicKey = '') =>
  JSON.stringify({ signedMeterData: base64(data), signingMethod: '', encodingMethod: 'OCMF', publicKey })
const signed = (value: unknown, context?: string) => ({ value, format: 'SignedData', ...(context && { context }) })
const at = (timestamp: string, ...sampledValue: readonly unknown[]) => ({ timestamp, sampledValue })

interface SignedData {
  readonly data: readonly Json[]
  readonly hasBegin: boolean
  readonly hasEnd: boolean
  readonly energyDiffers: boolean
}

async function signedData(sessionId: unknown): Promise<SignedData> {
  const answer = await house.request('GET', `/sessions/${String(sessionId)}/signed-data`)
  expect(answer.status).toBe(200)
  return answer.body as unknown as SignedData
}

/** A charge of 10.25 kWh. */
async function charge16(
  station: Station,
  more: { readonly during?: readonly unknown[]; readonly transactionData?: readonly unknown[] } = {},
): Promise<number> {
  const { during = [], transactionData = [] } = more
  const start = startOf({ meterStart: 100_250, timestamp: STARTED })
  const { transactionId } = await station.ask('StartTransaction', start)
  for (const meterValue of during)
    await station.ask('MeterValues', { connectorId: 1, transactionId, meterValue: [meterValue] })
  const stop = { transactionId, meterStop: 110_500, timestamp: STOPPED, idTag: 'CARD', transactionData }
  await station.ask('StopTransaction', stop)
  return Number(transactionId)
}

describe('OCPP 1.6', () => {
  it('SIGNED-F1, SIGNED-X1: begin in MeterValues, both in the stop: each value once, verified, compared', async () => {
    const station = await booted16(house.ocppUrl, 'SMV-16')
    const own = base64(`oca:base16:asn1:${meter.publicKey}`)
    await charge16(station, {
      during: [at(STARTED, signed(oca(begin, own), 'Transaction.Begin'))],
      transactionData: [
        at(STARTED, signed(oca(begin, own), 'Transaction.Begin')),
        at(STOPPED, signed(oca(end, own), 'Transaction.End'), { value: '110500' }),
      ],
    })
    const [session] = await house.sessions('SMV-16')
    const shared = {
      encodingMethod: 'OCMF',
      signingMethod: 'ECDSA-secp256k1-SHA256',
      publicKey: own,
      verification: 'valid',
    }
    expect(await signedData(session?.id)).toEqual({
      data: [
        { ...shared, at: STARTED, context: 'begin', signedData: base64(begin), energyKwh: 100.25 },
        { ...shared, at: STOPPED, context: 'end', signedData: base64(end), energyKwh: 110.5 },
      ],
      hasBegin: true,
      hasEnd: true,
      energyDiffers: false,
    })
  })

  it('SIGNED-F1: values outlive their charge point', async () => {
    const station = await booted16(house.ocppUrl, 'SMV-GONE')
    await charge16(station, { transactionData: [at(STOPPED, signed(oca(whole, meter.publicKey), 'Transaction.End'))] })
    const [session] = await house.sessions('SMV-GONE')
    expect((await house.request('DELETE', '/2/evse-controllers/SMV-GONE')).status).toBe(204)
    expect((await signedData(session?.id)).data).toMatchObject([{ verification: 'valid' }])
    await station.closed
  })
})

describe('OCPP 2.0.1', () => {
  const event = (eventType: string, seqNo: number, timestamp: string, more: object = {}) =>
    eventOf(eventType, seqNo, { timestamp, evse: { id: 2, connectorId: 1 }, ...more })
  const value = (data: string, context: string, publicKey = '', register = 1) => ({
    value: register,
    context,
    signedMeterValue: { signedMeterData: base64(data), signingMethod: '', encodingMethod: 'OCMF', publicKey },
  })

  it('SIGNED-F3, SIGNED-K1, SIGNED-K3: TransactionEvents, with the key of a report', async () => {
    const station = await booted201(house.ocppUrl, 'SMV-201')
    await station.ask(
      'TransactionEvent',
      event('Started', 0, STARTED, { meterValue: [at(STARTED, value(begin, 'Transaction.Begin', '', 100_250))] }),
    )
    const last = { meterValue: [at(STOPPED, value(end, 'Transaction.End', '', 110_500))] }
    await station.ask('TransactionEvent', event('Ended', 1, STOPPED, last))
    await station.ask('TransactionEvent', event('Ended', 1, STOPPED, last), 'again')
    const [session] = await house.sessions('SMV-201')
    expect((await signedData(session?.id)).data).toMatchObject([
      { context: 'begin', verification: 'unchecked', energyKwh: 100.25 },
      { context: 'end', verification: 'unchecked', energyKwh: 110.5 },
    ])
    const report = (evse: number, key: string) => ({
      component: { name: 'FiscalMetering', evse: { id: evse } },
      variable: { name: 'PublicKey' },
      variableAttribute: [{ type: 'Actual', value: key }],
    })
    await station.ask('NotifyReport', {
      requestId: 1,
      generatedAt: STOPPED,
      seqNo: 0,
      tbc: false,
      reportData: [report(1, meterOn('prime256v1').publicKey), report(2, meter.publicKey)],
    })
    expect(await signedData(session?.id)).toMatchObject({
      data: [{ verification: 'valid' }, { verification: 'valid', publicKey: meter.publicKey }],
      hasBegin: true,
      hasEnd: true,
      energyDiffers: false,
    })
  })
})
