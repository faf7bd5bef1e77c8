import { expect, it } from 'vitest'
import { Driver } from '../../../test/support/sessions/driver.ts'
import { register, sampled, started, stopped } from '../../../test/support/sessions/inputs.ts'
import type { PublicKeyText, Sample, SignedData } from '../ports/sessions.ts'
import type { SignedValue } from '../signed-values/records.ts'
import type { Decision } from './decision.ts'

const key = (bytes: string): PublicKeyText => ({ text: `0x${bytes}`, bytes })
const signed = (data: string, publicKey?: PublicKeyText): SignedData => ({ data, digest: data, publicKey })
const sample = (minute: number, data: string, publicKey?: PublicKeyText): Sample => ({
  ...register(minute, 0),
  value: data,
  signed: signed(data, publicKey),
})
const at = (minute: number) => register(minute, 0).at

function kept({ changes }: Decision): readonly SignedValue[] {
  return (changes.records ?? []).flatMap((change) =>
    change.kind === 'signed_values' && 'put' in change ? [change.put] : [],
  )
}
function keys({ changes }: Decision): readonly string[] {
  return (changes.records ?? []).flatMap((change) =>
    change.kind === 'meter_keys' && 'put' in change ? [`${change.put.place}: ${change.put.publicKey}`] : [],
  )
}

function charging(): Driver {
  return new Driver({ idTokens: [{}] }, started(0, { connectorId: 2, registerMilliWh: 0 }))
}

it('SIGNED-F1: signed values: belong to the session of their transaction, with place, time and context', () => {
  const driver = charging()
  expect(kept(driver.sendAt(5, sampled('100', [sample(5, 'a'), register(5, 10)])))).toMatchObject([
    {
      sessionId: 'session-1',
      transactionId: '100',
      place: 2,
      at: at(5).occurredAt,
      data: 'a',
      context: 'Sample.Periodic',
    },
  ])
  expect(kept(driver.sendAt(9, stopped(9, { transactionId: '100', samples: [sample(9, 'b')] })))).toMatchObject([
    { sessionId: 'session-1', place: 2, data: 'b' },
  ])
})

it('SIGNED-F1: signed values: late ones and those of a repeated stop belong to it too', () => {
  const driver = charging()
  const stop = stopped(9, { transactionId: '100', samples: [sample(9, 'b')] })
  driver.sendAt(9, stop)
  expect(kept(driver.sendAt(10, stop))).toMatchObject([{ sessionId: 'session-1', data: 'b', at: at(9).occurredAt }])
  expect(kept(driver.sendAt(11, sampled('100', [sample(8, 'c')])))).toMatchObject([{ sessionId: 'session-1' }])
})

it('SIGNED-F1: signed values: without a transaction they belong to the one charge of their time, and else to none', () => {
  const driver = charging()
  const unnamed = (minute: number, connectorId: number) =>
    kept(
      driver.sendAt(minute, {
        ...sampled('', [sample(minute, `v${minute}`)]),
        transactionId: undefined,
        connectorId,
      }),
    )
  expect(unnamed(5, 2)).toMatchObject([{ sessionId: 'session-1' }])
  expect(unnamed(6, 1)).toMatchObject([{ sessionId: '', place: 1 }])
  driver.sendAt(9, stopped(9, { transactionId: '100' }))
  expect(unnamed(10, 2)).toMatchObject([{ sessionId: 'session-1' }])
  expect(unnamed(60, 2)).toMatchObject([{ sessionId: '' }])
})

it('SIGNED-F7: signed values: of one message a thousand at most', () => {
  const many = Array.from({ length: 1500 }, (_, n) => sample(5, `v${n}`, key(String(n))))
  expect(kept(charging().sendAt(5, sampled('100', many)))).toHaveLength(1000)
})

it('SIGNED-F3: signed values: those of a DataTransfer by their number, or by their time', () => {
  const driver = charging()
  driver.sendAt(9, stopped(9, { transactionId: '100' }))
  driver.sendAt(20, started(20, { connectorId: 2, registerMilliWh: 0 }))
  const sent = (minute: number, transactionId?: string) =>
    kept(
      driver.sendAt(30, {
        kind: 'dataTransferReceived',
        vendorId: 'Acme',
        signed: {
          transactionId,
          mention: { ours: true },
          values: [{ signed: signed('x'), context: 'Sample.Periodic', at: at(minute) }],
        },
      }),
    )
  expect(sent(30, '100')).toMatchObject([{ sessionId: 'session-1' }])
  expect(sent(30)).toMatchObject([{ sessionId: 'session-2' }])
  expect(sent(5)).toMatchObject([{ sessionId: 'session-1' }])
  expect(sent(30, '999')).toMatchObject([{ sessionId: 'session-2' }])
})

const seen = (...reported: readonly (readonly [place: number, bytes: string])[]) =>
  ({ kind: 'meterKeysSeen', keys: reported.map(([place, bytes]) => ({ place, publicKey: key(bytes) })) }) as const

it('SIGNED-K3: keys of meters: each is kept when it is seen first; another one is kept beside it', () => {
  const driver = charging()
  expect(keys(driver.sendAt(1, seen([1, 'aa'], [2, 'bb'])))).toEqual(['1: 0xaa', '2: 0xbb'])
  expect(keys(driver.sendAt(2, seen([1, 'aa'], [2, 'cc'])))).toEqual(['2: 0xcc'])
  expect(keys(driver.sendAt(3, seen([2, 'cc'])))).toEqual([])
})

it('SIGNED-K3: keys of meters: a value brings one too, but none that is older than what is known', () => {
  const driver = charging()
  expect(keys(driver.sendAt(5, sampled('100', [sample(5, 'a', key('aa'))])))).toEqual(['2: 0xaa'])
  expect(keys(driver.sendAt(6, sampled('100', [sample(6, 'b', key('aa'))])))).toEqual([])
  driver.sendAt(7, seen([2, 'bb']))
  expect(keys(driver.sendAt(8, sampled('100', [sample(6, 'c', key('aa'))])))).toEqual([])
  expect(keys(driver.sendAt(9, sampled('100', [sample(9, 'd', key('cc'))])))).toEqual(['2: 0xcc'])
})
