import { expect, it } from 'vitest'
import { apiOfTest, START, session, tokenOf } from '../../../test/support/api/testing.ts'
import { BEGIN, END, meterOn, signedValue } from '../../../test/support/domain/signed-values/testing.ts'
import { addSignedData } from './signed-values.ts'

const one = '0197f3c2-0000-7000-8000-000000000001'
const foreign = '0197f3c2-0000-7000-8000-000000000002'
const many = '0197f3c2-0000-7000-8000-000000000003'
const meter = meterOn('prime256v1')
const path = `/sessions/${one}/signed-data`

const api = await apiOfTest({
  parts: {
    extraEndpoints: [addSignedData],
    verifyAccessToken: async (token) => {
      const [, scopes = '', chargePoints = ''] = token.split('.')
      return tokenOf({
        scopes: scopes.split('+').map((scope) => scope.replace('_', ':')),
        chargePoints: [chargePoints],
      })
    },
  },
})
await api.addSession(session(one, { state: 'completed', energyMilliWh: 10_250_000, transactionId: '42' }))
await api.addSession(session(many))
await api.addSession(session(foreign, { accountId: 'acc2', chargePointId: 'CP-OTHER' }))
const values = [
  signedValue(meter.record([BEGIN]), { sessionId: one, at: START, context: 'Transaction.Begin' }),
  signedValue(meter.record([END]), { sessionId: one, at: START + 1, context: 'Transaction.End' }),
  ...Array.from({ length: 40 }, (_, n) =>
    signedValue(`value ${n}`, { sessionId: many, at: START + n, digest: `${n}` }),
  ),
]
await api.store.writes.putRecords('signed_values', values)
await api.store.writes.putRecords('meter_keys', [
  { accountId: 'acc1', station: 'CP1', place: 1, at: START, publicKey: meter.publicKey },
  { accountId: 'acc2', station: 'CP1', place: 1, at: START + 1, publicKey: meterOn('prime256v1').publicKey },
])

it('SIGNED-X1: the values with what they say together, at both addresses', async () => {
  const body = await api.get(path)
  expect(body).toMatchObject({
    data: [
      { context: 'begin', verification: 'valid', energyKwh: 100.25 },
      { context: 'end', verification: 'valid', energyKwh: 110.5 },
    ],
    hasBegin: true,
    hasEnd: true,
    energyDiffers: false,
  })
  expect(await api.get(`/2${path}`)).toEqual(body)
})

it('SIGNED-X1: all of them, the oldest first, however many there are', async () => {
  const { data } = await api.get(`/sessions/${many}/signed-data`)
  const texts = (data as unknown as readonly { readonly signedData: string }[]).map(({ signedData }) => signedData)
  expect(texts).toEqual(Array.from({ length: 40 }, (_, n) => `value ${n}`))
})

it.each([
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/xml', 'application/xml; charset=utf-8'],
  ['application/json;q=0.5, application/xml', 'application/xml; charset=utf-8'],
  ['application/xml;q=0.5, */*;q=0.1', 'application/xml; charset=utf-8'],
  ['text/html, application/xml;q=0.9, */*;q=0.8', 'application/xml; charset=utf-8'],
  ['application/json;q=0, */*', 'application/xml; charset=utf-8'],
])('SIGNED-X3: Accept %j is answered as %s', async (accept, type) => {
  const answer = await api.call('GET', path, undefined, { accept })
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([200, type, 'accept'])
  if (type.startsWith('application/xml')) expect(await answer.text()).toContain('<value transactionId="42"')
})

it.each(['text/html', 'image/*', 'application/xml;q=0, application/json;q=0'])(
  'SIGNED-X3: Accept %s is 406 with what there is',
  async (accept) => {
    const refused = await api.call('GET', path, undefined, { accept })
    expect([refused.status, (await refused.json()).code]).toEqual([406, 'not_acceptable'])
  },
)
