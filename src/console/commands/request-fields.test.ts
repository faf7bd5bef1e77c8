import { expect, it } from 'vitest'
import type { Protocol } from '../../domain/ports/core.ts'
import { versions } from '../../ocpp/versions.ts'
import { type RequestField, readRequest, requestFields } from './command-page.tsx'

const PROTOCOLS: readonly Protocol[] = ['ocpp1.6', 'ocpp2.0.1']
const commands = PROTOCOLS.flatMap((protocol) =>
  Object.keys(versions[protocol].toChargePoint).map((method) => [protocol, method] as const),
)

/** As somebody would who types every example in. */
function typed(fields: readonly RequestField[], only: (field: RequestField) => boolean): URLSearchParams {
  const form = new URLSearchParams()
  const add = (all: readonly RequestField[]): void => {
    for (const field of all.filter(only)) {
      if (field.kind === 'group') add(field.fields)
      else form.set(field.pointer, field.example)
    }
  }
  add(fields)
  return form
}

it.each(commands)('%s %s: its examples are a request that may be sent', (protocol, method) => {
  const fields = requestFields(protocol, method) ?? []
  const { faults } = readRequest(
    protocol,
    method,
    typed(fields, ({ required }) => required),
  )
  expect(faults).toEqual([])
})

it('reads numbers, choices, times, lists and groups; what is empty is left out', () => {
  const form = new URLSearchParams({
    '/connectorId': '1',
    '/csChargingProfiles/chargingProfileId': '7',
    '/csChargingProfiles/stackLevel': '0',
    '/csChargingProfiles/chargingProfilePurpose': 'TxDefaultProfile',
    '/csChargingProfiles/chargingProfileKind': 'Absolute',
    '/csChargingProfiles/validFrom': '',
    '/csChargingProfiles/chargingSchedule/chargingRateUnit': 'A',
    '/csChargingProfiles/chargingSchedule/chargingSchedulePeriod': '[{"startPeriod":0,"limit":6.1}]',
  })
  expect(readRequest('ocpp1.6', 'SetChargingProfile', form)).toEqual({
    request: {
      connectorId: 1,
      csChargingProfiles: {
        chargingProfileId: 7,
        stackLevel: 0,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6.1 }] },
      },
    },
    faults: [],
  })
})

it.each<[string, Record<string, string>, string]>([
  ['a number that is none', { '/connectorId': 'one' }, '/connectorId'],
  ['nothing where something must be', {}, '/connectorId'],
  ['a whole request that is no JSON', { json: '{' }, '/json'],
  ['a whole request that is a list', { json: '[]' }, '/json'],
  ['a whole request with more than there is', { json: '{"connectorId":1,"colour":"red"}' }, '/colour'],
])('%s is told at its field', (_, form, pointer) => {
  const { faults } = readRequest('ocpp1.6', 'UnlockConnector', new URLSearchParams(form))
  expect(faults.map((fault) => fault.pointer)).toContain(pointer)
})

it('a list that is none is told at its field', () => {
  const { faults } = readRequest('ocpp2.0.1', 'GetVariables', new URLSearchParams({ '/getVariableData': '{}' }))
  expect(faults).toMatchObject([{ pointer: '/getVariableData' }])
})

it.each(commands)('CONSOLE-A10: %s %s: each field says what it means, in both languages', (protocol, method) => {
  const undescribed = (fields: readonly RequestField[]): readonly string[] =>
    fields.flatMap((field) => [...(field.description ? [] : [field.pointer]), ...undescribed(field.fields)])
  for (const language of ['en', 'de'] as const) {
    expect(undescribed(requestFields(protocol, method, language) ?? [])).toEqual([])
  }
})

it('CONSOLE-A10: what 1.6 means is said in our words, and where it matters for the command', () => {
  const described = (method: string, at: number) => requestFields('ocpp1.6', method)?.[at]?.description
  expect(described('ReserveNow', 0)).toBe('0: any connector.')
  expect(described('ChangeAvailability', 0)).toBe('0 is the whole charge point.')
  expect(requestFields('ocpp1.6', 'Reset', 'de')?.[0]?.description).toContain('startet sofort neu')
})

it('2.0.1 explains its fields, without the marks of its model', () => {
  const [first] = requestFields('ocpp2.0.1', 'Reset') ?? []
  expect(first).toMatchObject({ name: 'type', kind: 'choice', options: ['Immediate', 'OnIdle'], required: true })
  const texts = commands.flatMap(([protocol, method]) => JSON.stringify(requestFields(protocol, method)))
  expect(texts.join('')).not.toMatch(/urn:x-|&gt;|customData/)
  expect(requestFields('ocpp1.6', 'constructor')).toBeUndefined()
})
