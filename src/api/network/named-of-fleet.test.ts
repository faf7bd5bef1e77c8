import { expect, it } from 'vitest'
import { apiOfTest, tokenOf } from '../../../test/support/api/testing.ts'
import type { TokenPrincipal } from '../access/access.ts'
import { addConfigurations } from './configuration.ts'
import { addLocalLists, addMonitors } from './named-of-fleet.ts'

interface Page {
  readonly data: readonly { readonly name: string }[]
  readonly meta: { readonly nextCursor?: string }
}

const monitor = { component: { name: 'E' }, variable: { name: 'P' }, type: 'Delta', value: 1, severity: 5 }
const KINDS = [
  ['/2/configurations', { keys16: [{ key: 'A', value: '1' }] }],
  ['/2/monitors', { monitors: [monitor] }],
  ['/2/local-lists', { tokens: 'all' }],
] as const

let token: TokenPrincipal
token = { ...tokenOf(), scopes: ['chargers:configure', 'chargers:read'], chargePoints: ['CP1'] }
const extraEndpoints = [addConfigurations, addMonitors, addLocalLists]
const api = await apiOfTest({ parts: { verifyAccessToken: async () => token, extraEndpoints } })

it.each(KINDS)('CONFIG-A13: %s are listed page by page, so that one can be found and deleted', async (path, body) => {
  for (const name of ['b', 'a', 'c']) {
    expect((await api.call('PUT', `${path}/${name}`, { selector: { ids: [name] }, ...body })).status).toBe(201)
  }
  expect((await api.call('PUT', `${path}/shared`, { selector: { ids: ['CP1'] }, ...body })).status).toBe(201)
  const read = async (query: string, headers?: Readonly<Record<string, string>>): Promise<Page> =>
    (await api.call('GET', `${path}${query}`, undefined, headers)).json<Page>()
  const names: string[] = []
  for (let cursor = ''; ; ) {
    const { data, meta } = await read(`?limit=3${cursor}`)
    names.push(...data.map(({ name }) => name))
    if (meta.nextCursor === undefined) break
    cursor = `&cursor=${meta.nextCursor}`
  }
  expect(names).toEqual(['a', 'b', 'c', 'shared'])
  const { data } = await read('')
  expect(data[0]).toEqual(await (await api.call('GET', `${path}/a`)).json())

  const asApplication = { authorization: 'Bearer pwa_x' }
  expect((await read('', asApplication)).data.map(({ name }) => name)).toEqual(['shared'])
  token = { ...token, scopes: [] }
  expect((await api.call('GET', path, undefined, asApplication)).status).toBe(403)
  token = { ...token, scopes: ['chargers:configure', 'chargers:read'] }
  expect((await api.call('DELETE', `${path}/a`)).status).toBe(204)
  expect((await read('')).data.map(({ name }) => name)).toEqual(['b', 'c', 'shared'])
})
