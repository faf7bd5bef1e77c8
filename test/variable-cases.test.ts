/**
 * Test cases of the Open Charge Alliance about variables, reports and monitors, by what is stored when they are over.
 */
import { afterEach, expect, it } from 'vitest'
import { houseOfFile, type Json, until } from './house.ts'
import { booted201, type Station, type StationOptions } from './station.ts'

const house = await houseOfFile()
const stations: Station[] = []

afterEach(async () => {
  for (const station of stations.splice(0)) await station.close()
})

const list = async (path: string) => await house.list(path)

async function boot(id: string, options: StationOptions): Promise<Station> {
  const station = await booted201(house.ocppUrl, id, options)
  stations.push(station)
  return station
}

const named = (name: string) => ({ component: { name: 'OCPPCommCtrlr' }, variable: { name } })

const command = (id: string, method: string, request: object) =>
  house.request('POST', `/2/evse-controllers/${id}/commands`, { method, request, wait: 10 })

const kept = async (id: string) =>
  Object.fromEntries(
    (await list(`/2/evse-controllers/${id}/variables`)).map(({ variable, value, gone }) => [
      (variable as Json).name,
      gone ? 'gone' : value,
    ]),
  )

const known = (name: string, instance: string, value: string) => ({
  component: { name },
  variable: { name: 'ItemsPerMessage', instance },
  variableAttribute: [{ value, mutability: 'ReadOnly' }],
})
const takes = async (id: string, station: Station, items: readonly object[]) => {
  const generatedAt = new Date().toISOString()
  await station.ask('NotifyReport', { requestId: 1, seqNo: 0, generatedAt, reportData: items })
  await until(async () => (await list(`/2/evse-controllers/${id}/variables`)).length === items.length)
}

it('SESSION-O11 (TC_B_08): variables that are more than the station takes at once are got in parts, and kept', async () => {
  const station = await boot('PARTS', {
    respond: (_, { getVariableData }) => ({
      getVariableResult: (getVariableData as Json[]).map(({ component, variable }) => ({
        component,
        variable,
        attributeStatus: 'Accepted',
        attributeValue: (variable as Json).name,
      })),
    }),
  })
  await takes('PARTS', station, [known('DeviceDataCtrlr', 'GetVariables', '4')])
  const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']
  const getVariableData = names.map(named)
  const answered = await command('PARTS', 'GetVariables', { getVariableData })
  expect([answered.status, answered.body.status, answered.body.request]).toEqual([200, 'success', { getVariableData }])
  const { getVariableResult } = answered.body.response as { readonly getVariableResult: readonly Json[] }
  expect(getVariableResult.map(({ attributeValue }) => attributeValue)).toEqual(names)
  const rows = await house.rows('PARTS', { method: ['GetVariables'] })
  expect(rows.map(({ id }) => id).reverse()).toEqual(answered.body.parts)
  expect(answered.headers.get('location')).toContain(String(answered.body.id))
  const sent = station.frames.filter((frame) => frame[2] === 'GetVariables')
  expect(sent.map((frame) => ((frame[3] as Json).getVariableData as Json[]).length)).toEqual([4, 4, 1])
  await until(async () => (await kept('PARTS')).I === 'I')
  expect(await kept('PARTS')).toMatchObject(Object.fromEntries(names.map((name) => [name, name])))
  const early = await house.request('POST', '/2/evse-controllers/PARTS/commands', {
    method: 'GetVariables',
    request: { getVariableData },
  })
  expect([early.status, early.body.status, (early.body.parts as string[]).length]).toEqual([202, 'pending', 3])
})

it('SESSION-O11 (B05.FR.11): variables that are more than the station takes at once are set in parts; one that fails is told', async () => {
  const station = await boot('SETS', {
    respond: (_, { setVariableData }) => {
      const entries = setVariableData as Json[]
      if (entries.some(({ attributeValue }) => attributeValue === 'silent')) return undefined
      return {
        setVariableResult: entries.map(({ component, variable, attributeValue }) => ({
          component,
          variable,
          attributeStatus: attributeValue === 'wrong' ? 'Rejected' : 'Accepted',
        })),
      }
    },
  })
  await takes('SETS', station, [
    known('DeviceDataCtrlr', 'SetVariables', '2'),
    known('DeviceDataCtrlr', 'GetReport', '1'),
  ])
  const set = (...values: string[]) =>
    command('SETS', 'SetVariables', {
      setVariableData: values.map((attributeValue, at) => ({ ...named(`V${at}`), attributeValue })),
    })
  const { body } = await set('1', '2', 'wrong')
  const { setVariableResult } = body.response as { readonly setVariableResult: readonly Json[] }
  expect(setVariableResult.map(({ attributeStatus }) => attributeStatus)).toEqual(['Accepted', 'Accepted', 'Rejected'])
  expect((await set('1', '2', 'silent')).body).toMatchObject({
    status: 'error',
    error: { code: 'NotImplemented' },
    parts: [expect.any(String), expect.any(String)],
  })
  const refused = await set(...Array.from({ length: 41 }, () => 'x'))
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { code: 'too_many', errors: [{ pointer: '/request/setVariableData' }] },
  ])
  expect(refused.body.detail).toContain('at most 2 items in one SetVariables')
  const componentVariable = [named('V0'), named('V1')]
  const report = await command('SETS', 'GetReport', { requestId: 1, componentVariable })
  expect([report.status, report.body.code]).toEqual([422, 'too_many'])
  expect(station.frames.filter((frame) => frame[2] === 'SetVariables')).toHaveLength(4)
  expect(station.frames.filter((frame) => frame[2] === 'GetReport')).toHaveLength(0)
})
