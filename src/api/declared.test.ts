/** The contract of every declared resource; what it means stands in the tests of its own room. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { START, startApi, type TestApi } from '../../test/support/api/testing.ts'
import { apiName } from '../application/resource/kinds.ts'
import { existsCode } from '../application/resource/orders.ts'
import type { SHAPES } from '../application/resource/shapes.ts'
import { RESOURCES } from '../domain/resources/all-resources.ts'
import type { Field, Kind } from '../domain/resources/field.ts'
import { nounOf, operationId, pathOf, type Resource, settable, visible } from '../domain/resources/resource.ts'
import { RIGHTS } from './access/rights.ts'

type Shown = Readonly<Record<string, unknown>> & { readonly id: string }
interface List {
  readonly data: readonly Shown[]
  readonly meta: { readonly nextCursor?: string }
}

/** Of each kind: two values that are taken, and one that is not. */
const VALUES: Readonly<Record<Kind, (field: Field) => readonly [unknown, unknown, unknown]>> = {
  amount: () => [0.49, 0.123456, 0.1234567],
  chargePoint: () => ['CP1', 'CP1', ''],
  choice: ({ options = [] }) => [options[0], options.at(-1), 'nonsense'],
  currency: () => ['EUR', 'JPY', 'XX'],
  flag: () => [true, false, 'yes'],
  integer: () => [1, 2, 0.5],
  json: ({ shape }) => SHAPE_VALUES[shape?.name as keyof typeof SHAPES],
  time: () => ['2026-08-01T12:00:00.000Z', '2026-08-02T12:00:00.000Z', 'noon'],
  word: () => ['one', 'two', 'x'.repeat(256)],
}
/** Of each shape, in the same order. */
const SHAPE_VALUES: Readonly<Record<keyof typeof SHAPES, readonly [unknown, unknown, unknown]>> = {
  altText: [[{ language: 'en', text: 'one' }], [{ language: 'de', text: 'zwei' }], []],
  percent: [19, 5.2, 101],
  priceLimit: [{ exclVat: 1 }, { exclVat: 1, inclVat: 1.2 }, 'none'],
  tariffElements: [
    [{ priceComponents: [{ type: 'ENERGY', price: 0.4, stepSize: 1 }] }],
    [{ priceComponents: [{ type: 'TIME', price: 2, vat: 19, stepSize: 60 }], restrictions: { startTime: '08:00' } }],
    'none',
  ],
}
/** One of those that exclude each other. */
const isSent = (of: Resource, name: string): boolean => !Object.values(of.fields).some(({ unless }) => unless === name)
const sent = (of: Resource, isNew: boolean) => settable(of, isNew).filter(([name]) => isSent(of, name))
const bodyOf = (of: Resource, isNew: boolean, at: 0 | 1): Readonly<Record<string, unknown>> =>
  Object.fromEntries(sent(of, isNew).map(([name, field]) => [apiName(name, field), VALUES[field.kind](field)[at]]))

/** Of a resource that no request creates: two rows of the account, and one of another. */
const ROWS: Readonly<Record<string, (api: TestApi) => Promise<unknown>>> = {
  async ModelQuirk({ store }) {
    const quirk = {
      accountId: 'acc1',
      vendor: 'Acme/ö',
      model: 'One',
      firmwareVersion: '1',
      provedBy: 'CP1',
      at: START,
    }
    const plain = { ...quirk, vendor: '', model: '', firmwareVersion: '' }
    await store.writes.putRecords('model_quirks', [quirk, plain, { ...quirk, accountId: 'acc2' }])
  },
}

describe.each<Resource>([...RESOURCES])('$name, as declared', (of) => {
  const [path, { create, change }] = [`/2${pathOf(of)}`, of.operations]
  let api: TestApi
  let rows: readonly Shown[]
  beforeAll(async () => {
    api = await startApi()
    if (!create) await ROWS[of.name]?.(api)
    else for (const body of [bodyOf(of, true, 0), bodyOf(of, false, 0)]) await api.call('POST', path, body)
    rows = (await api.get<List>(path)).data
  })
  afterAll(() => api.close())

  it('has a label for each field of its pages', () => {
    if (of.pages) for (const [name, { label }] of visible(of)) expect(label?.every(Boolean), name).toBe(true)
  })

  it('OIDC-C14: each operation has its right, and is for credentials of the account alone', async () => {
    for (const act of Object.keys(of.operations) as (keyof typeof of.operations)[]) {
      const right = RIGHTS[operationId(of, act) as 'listTariffs']
      expect(right).toMatchObject({ kind: nounOf(of), owner: of.rights.owner, access: { kind: of.rights.api } })
    }
    const foreign = { authorization: `Bearer ${await api.newCredential('acc2')}` }
    for (const [method, status] of [...(of.operations.get ? [['GET', 404]] : []), ['DELETE', 404]] as const)
      expect((await api.call(String(method), `${path}/nothing`, undefined, foreign)).status).toBe(status)
    const theirs = await (await api.call('GET', path, undefined, foreign)).json<List>()
    expect(theirs.data).toHaveLength(create ? 0 : 1)
  })

  it('API-G2: is listed, page by page where it has pages', async () => {
    expect(rows).toHaveLength(2)
    if (!of.store.id) return
    const first = await api.get<List>(`${path}?limit=1`)
    const second = await api.get<List>(`${path}?limit=1&cursor=${first.meta.nextCursor}`)
    expect([...first.data, ...second.data]).toEqual(rows)
    expect(second.meta).toEqual({})
  })

  it.runIf(create)('is created once, with a fault for each field that is wrong', async () => {
    const body = bodyOf(of, true, 0)
    expect(rows).toEqual(expect.arrayContaining([expect.objectContaining(body)]))
    const again = await api.call('POST', path, body)
    expect([again.status, (await again.json()).code]).toEqual([409, existsCode(of)])
    for (const [name, field] of sent(of, true)) {
      const wrong = await api.call('POST', path, { ...body, [apiName(name, field)]: VALUES[field.kind](field)[2] })
      expect((await wrong.json()).errors?.map(({ pointer }) => pointer)).toEqual([`/${apiName(name, field)}`])
      if (field.kind !== 'chargePoint') continue
      expect((await api.call('POST', path, { ...body, [apiName(name, field)]: 'CP-OTHER' })).status).toBe(404)
    }
    expect((await api.call('POST', path, { ...body, unknown: 1 })).status).toBe(400)
  })

  it.runIf(change)('is changed member by member', async () => {
    for (const [name, value] of Object.entries(bodyOf(of, false, 1))) {
      const changed = await api.call('PATCH', `${path}/${rows[0]?.id}`, { [name]: value })
      expect(await changed.json()).toMatchObject({ id: rows[0]?.id, [name]: value })
    }
    const shown = await api.get<Shown>(`${path}/${rows[0]?.id}`)
    expect(shown).toMatchObject({ ...bodyOf(of, false, 1) })
    if ('version' in of.fields) expect(shown.version).toBe(1 + sent(of, false).length)
  })

  it('is deleted once, and then no longer found', async () => {
    const address = `${path}/${rows[0]?.id}`
    expect((await api.call('DELETE', address)).status).toBe(204)
    expect((await api.call('DELETE', address)).status).toBe(404)
    if (of.operations.get) expect((await api.call('GET', address)).status).toBe(404)
    expect((await api.get<List>(path)).data).toEqual(rows.slice(1))
  })
})
