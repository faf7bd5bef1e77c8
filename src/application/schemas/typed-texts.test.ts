import { expect, it } from 'vitest'
import type { z } from 'zod'
import { AnswerRequestSchema } from '../certificates/orders.ts'
import { limitParams, PutStationModelSchema, stationModelParams } from '../charging/schemas.ts'
import { PutConfigurationSchema } from '../configuration/schemas.ts'
import { firmwareFields } from '../firmware/images.ts'
import { PutExternalLimitSchema } from '../limit-groups/schemas.ts'
import { PutLocalListSchema } from '../local-lists/orders.ts'
import { OrderReservationSchema } from '../reservations/orders.ts'
import { ChangeChargePointSchema, SelectorSchema } from './charge-points.ts'

const until = '2099-01-01T00:00:00Z'
const place = { evseControllerId: 'C', expiresAt: until }
const requested = (component: unknown, variable: unknown) => ({
  selector: {},
  variables: [{ component, variable, value: '1' }],
})

const TEXTS: readonly (readonly [what: string, schema: z.ZodType, most: number, sent: (text: string) => unknown])[] = [
  ['name of a limit', limitParams, 200, (name) => ({ evseController: 'C', name })],
  ['vendor of a station model', stationModelParams, 255, (vendor) => ({ vendor, model: 'One' })],
  ['model of a station model', stationModelParams, 255, (model) => ({ vendor: 'Acme', model })],
  ['key that limits a station model', PutStationModelSchema, 200, (limitKey) => ({ limitKey })],
  ['source of an external limit', PutExternalLimitSchema, 100, (source) => ({ amps: 6, until, source })],
  ['group of a local list', PutLocalListSchema, 255, (groupId) => ({ selector: {}, tokens: { groupId } })],
  ['card of a local list', PutLocalListSchema, 255, (id) => ({ selector: {}, tokens: { ids: [id] } })],
  ['card of a reservation', OrderReservationSchema, 255, (idToken) => ({ ...place, idToken })],
  ['plug of a reservation', OrderReservationSchema, 20, (connectorType) => ({ ...place, idToken: 'A', connectorType })],
  ['id of a selector', SelectorSchema, 255, (id) => ({ ids: [id] })],
  ['label of a selector', SelectorSchema, 255, (site) => ({ labels: { site } })],
  ['model of a selector', SelectorSchema, 255, (model) => ({ model })],
  ['serial number', ChangeChargePointSchema, 64, (expectedSerialNumber) => ({ expectedSerialNumber })],
  ['reason of a refusal', AnswerRequestSchema, 500, (rejected) => ({ rejected })],
  ['version of a firmware', firmwareFields, 50, (version) => ({ version })],
  ['component of a setting', PutConfigurationSchema, 100, (name) => requested({ name }, { name: 'B' })],
  ['variable of a setting', PutConfigurationSchema, 100, (name) => requested({ name: 'A' }, { name })],
  ['key of a setting', PutConfigurationSchema, 50, (key) => ({ selector: {}, keys16: [{ key, value: '1' }] })],
]

it.each(TEXTS)('API-B8: the %s could hold what nobody sees', (_, schema, most, sent) => {
  for (const text of ['North', '🔌', "'; DROP TABLE x; --", '<b>']) {
    expect(schema.safeParse(sent(text)).success, text).toBe(true)
  }
  for (const text of ['a\0b', 'two\nlines', 'a\u202Eb', 'half \uD83D of it', 'x'.repeat(most + 1)]) {
    expect(schema.safeParse(sent(text)).success, JSON.stringify(text)).toBe(false)
  }
})
