import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PUBLISHED } from '../../../../test/support/domain/signed-values/records.ts'
import { forAll } from '../../../../test/support/property.ts'
import { readOcmf } from './read-ocmf.ts'

it('SIGNED-F4: who metered, for whom, what, and when by which clock', () => {
  expect(readOcmf(PUBLISHED[4]?.record ?? '')).toMatchObject({
    formatVersion: '1.0',
    gateway: { model: 'HTB', serialNumber: 'HTBSerial', firmware: '0.0.1' },
    meter: { vendor: 'HTB', model: 'HTB', serialNumber: 'HTBGenerated1', firmware: '1.0' },
    pagination: 'T12345',
    user: { assigned: true, level: 'VERIFIED', type: 'ISO14443', id: '8D2E2D536DCFD0' },
    chargePoint: { type: 'CBIDC', id: 'HTB' },
    readings: [
      { at: Date.UTC(2019, 3, 2, 15, 28, 45, 867), timeStatus: 'S', reason: 'B', value: 3.51824, unit: 'kWh' },
      { reason: 'X', value: 7.01047, identification: '1-b:1.8.e', status: 'G' },
    ],
    signature: { algorithm: 'ECDSA-secp192k1-SHA256' },
  })
})

it('SIGNED-F4: a reading leaves out what is as in the one before', () => {
  const record =
    'OCMF|{"RD":[{"TM":"2026-08-01T12:00:00,000+0000 I","TX":"B","RV":1,"RU":"kWh","RI":"1-b:1.8.0","EF":"E","ST":"G"},{"TX":"C","RV":2},{"EF":"","RV":3}]}|{"SD":""}'
  const [, charging, last] = readOcmf(record)?.readings ?? []
  expect(charging).toMatchObject({ at: Date.UTC(2026, 7, 1, 12), timeStatus: 'I', reason: 'C', value: 2, unit: 'kWh' })
  expect(last).toMatchObject({ reason: 'C', errorFlags: '', value: 3, identification: '1-b:1.8.0', status: 'G' })
})

it('SIGNED-F4: blanks, pipes within texts and a key at the end', () => {
  const record = ' OCMF| {"ID":"a|\\"}b", "RD":[]} |\n{"SD":"00"}|3059'
  expect(readOcmf(record)).toMatchObject({
    payload: ' {"ID":"a|\\"}b", "RD":[]} ',
    user: { id: 'a|"}b' },
    signature: { value: '00' },
    publicKey: '3059',
  })
})

it.each([
  '',
  'OCMF',
  'OCMF|',
  'OCMF|{}',
  'OCMF|{}|',
  'OCMF|[]|{}',
  'OCMF|{}|[]',
  'OCMF|{|{}',
  'OCMF|{"a}|{}',
  'ocmf|{}|{}',
])('SIGNED-F4: %s is no record', (text) => {
  expect(readOcmf(text)).toBeUndefined()
})

it('SIGNED-F4: never throws, whatever stands where something else was expected', () => {
  forAll(fc.json(), fc.json(), fc.string(), (payload, signature, rest) => {
    readOcmf(`OCMF|${payload}|${signature}${rest}`)
    readOcmf(`OCMF|{"RD":${payload}}|{"SD":${signature}}`)
    readOcmf(`OCMF|{"RD":[{"TM":${payload},"RV":${signature}}]}|{}|${rest}`)
  })
})

it('SIGNED-F4: a mebibyte of braces, quotes, pipes or readings is read in one go', () => {
  const size = 1024 * 1024
  const bodies = ['{'.repeat(size), '"'.repeat(size), '|'.repeat(size), '{"a":'.repeat(size / 5), ' '.repeat(size)]
  for (const body of bodies) expect(readOcmf(`OCMF|${body}`)).toBeUndefined()
  const deep = `OCMF|{"a":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}|{}`
  expect(readOcmf(deep)?.readings).toEqual([])
  const many = `OCMF|{"RD":[${Array.from({ length: 50_000 }, () => '{"RV":1}').join()}]}|{}`
  expect(readOcmf(many)?.readings).toHaveLength(10_000)
})
