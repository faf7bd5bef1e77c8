/** docs/change-a-setting.md: every command of it, on a server with charge points of both versions. */

import { expect, it } from 'vitest'
import { commandsOf, jsonFor, runFor } from './documents.ts'
import { houseOfFile, type Json, until } from './house.ts'
import { obedient } from './obedient.ts'
import { bootStation } from './station.ts'

const commands = commandsOf('docs/change-a-setting.md')

const north1 = new Map([['MeterValueSampleInterval', '900']])
const north2 = new Map([['TxUpdatedInterval', '900']])
const house = await houseOfFile()
await bootStation(house.ocppUrl, 'NORTH-1', 'ocpp1.6', { respond: obedient(north1) })
await bootStation(house.ocppUrl, 'NORTH-2', 'ocpp2.0.1', { respond: obedient(north2) })

const run = (command?: string) => runFor(house, command)
const json = <T>(command?: string) => jsonFor<T>(house, command)

it('CONFIG-A1, CONFIG-A5, CONFIG-A11: docs: its commands do what they say', async () => {
  expect(commands).toHaveLength(6)
  const [variables, report, put, status, intents, remove] = commands
  expect(await json(variables)).toEqual({ data: [], meta: {} })
  expect(await json(report)).toMatchObject({ state: 'running' })
  await until(async () => (await json<{ data: unknown[] }>(variables)).data.length === 1)
  expect(await json(variables)).toMatchObject({
    data: [{ evseControllerId: 'NORTH-1', value: '900', mutability: 'ReadWrite' }],
  })
  expect(await json(put)).toMatchObject({ name: 'meter-values', revision: 1, rebootPolicy: 'onIdle' })
  await until(async () => (await json<{ counts: Json }>(status)).counts.verified === 2)
  expect([north1.get('MeterValueSampleInterval'), north2.get('TxUpdatedInterval')]).toEqual(['60', '60'])
  expect(await json(intents)).toMatchObject({
    data: [{ evseControllerId: 'NORTH-1', key: 'MeterValueSampleInterval', desired: '60', state: 'verified' }],
  })
  expect(await json(put)).toMatchObject({ revision: 1 })

  const late = new Map<string, string>()
  await bootStation(house.ocppUrl, 'NORTH-3', 'ocpp1.6', { respond: obedient(late) })
  await until(async () => (await json<{ counts: Json }>(status)).counts.verified === 3)
  expect(late.get('MeterValueSampleInterval')).toBe('60')

  expect(await run(remove)).toBe('')
  expect(await json<{ data: unknown[] }>(intents)).toEqual({ data: [], meta: {} })
})

it('CONFIG-A9: docs: what would lock a fleet out is refused, and nothing is stored', async () => {
  const set = (component: string, name: string) => ({ component: { name: component }, variable: { name }, value: '1' })
  for (const [body, code] of [
    [{ selector: {}, keys16: [{ key: 'authorizationKey', value: 'x' }] }, 'forbidden_key'],
    [{ selector: {}, keys16: [{ key: 'SecurityProfile', value: '3' }] }, 'forbidden_key'],
    [{ selector: {}, variables: [set('SecurityCtrlr', 'BasicAuthPassword')] }, 'forbidden_key'],
    [{ selector: {}, variables: [set('OCPPCommCtrlr', 'NetworkConfigurationPriority')] }, 'forbidden_key'],
    [{ selector: {}, keys16: ['A', 'a'].map((key) => ({ key, value: '1' })) }, 'duplicate_key'],
    [{ selector: {} }, 'required'],
    [{ selector: {}, keys16: [{ key: 'A', value: '1' }], rebootPolicy: 'window' }, 'required'],
  ] as const) {
    const refused = await house.request('PUT', '/2/configurations/bad', body)
    expect([refused.status, refused.body.code]).toEqual([422, code])
  }
  expect((await house.request('GET', '/2/configurations/bad')).status).toBe(404)
})

it('CONFIG-A10, INTENT-A12: docs: a secret is sent as it is, and shown and kept as nobody can read it', async () => {
  const body = { selector: { ids: ['NORTH-1'] }, keys16: [{ key: 'VendorPin', value: 'sesame-7788' }] }
  const put = await house.request('PUT', '/2/configurations/pins', body)
  expect(put.status).toBe(201)
  expect(put.text).not.toContain('sesame')
  await until(() => north1.get('VendorPin') === 'sesame-7788')
  const shown = await house.request('GET', '/2/evse-controllers/NORTH-1/intents')
  expect(shown.body.data).toMatchObject([{ key: 'VendorPin', desired: '***' }])
  expect((await house.request('PUT', '/2/configurations/pins', body)).body).toMatchObject({ revision: 1 })
  await house.request('DELETE', '/2/configurations/pins')
})
