import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/support/api/testing.ts'
import { addReports } from './reports.ts'

const api = await startApi({ parts: { extraEndpoints: [addReports] } })
afterAll(() => api.close())

const report = {
  kind: 'sessions',
  groupBy: 'label:cost-center',
  schedule: 'monthly',
  targets: [{ mail: 'a@b.example' }],
}
const at = (name: string) => `/2/reports/${encodeURIComponent(name)}`

describe('REPORT-A1: /2/reports', () => {
  it('a report is made, replaced, read, listed and deleted', async () => {
    const made = await api.call('PUT', at('Fleet Köln'), report)
    expect([made.status, made.headers.get('location')]).toEqual([201, at('Fleet Köln')])
    const shown = await made.json()
    expect(shown).toMatchObject({ name: 'Fleet Köln', format: 'csv', ...report })
    expect((await api.call('PUT', at('Fleet Köln'), { ...report, schedule: 'weekly', format: 'csv' })).status).toBe(200)
    expect(await api.get(at('Fleet Köln'))).toMatchObject({ schedule: 'weekly', name: 'Fleet Köln' })
    for (const name of ['B', 'C']) await api.call('PUT', at(name), report)
    const names: string[] = []
    for (let cursor = ''; ; ) {
      const { data, meta } = await api.get(`/2/reports?limit=2${cursor}`)
      names.push(...(data as unknown as { name: string }[]).map(({ name }) => name))
      if (meta.nextCursor === undefined) break
      cursor = `&cursor=${meta.nextCursor}`
    }
    expect(names).toEqual(['B', 'C', 'Fleet Köln'])
    expect((await api.call('DELETE', at('Fleet Köln'))).status).toBe(204)
    expect((await api.call('DELETE', at('Fleet Köln'))).status).toBe(404)
    expect((await api.call('GET', at('Fleet Köln'))).status).toBe(404)
  })

  it.each([
    [{ groupBy: 'label:Cost Center' }, '/groupBy'],
    [{ groupBy: 'evse' }, '/groupBy'],
    [{ schedule: 'daily' }, '/schedule'],
    [{ targets: [] }, '/targets'],
    [{ targets: [{ mail: 'a@b.example\r\nBcc: x@y.z' }] }, '/targets/0/mail'],
    [{ kind: 'log' }, '/kind'],
    [{ groupBy: undefined }, '/groupBy'],
    [{ every: 1 }, '/every'],
  ])('%j is 400 and named', async (change, pointer) => {
    const refused = await api.call('PUT', at('X'), { ...report, ...change })
    const { errors } = await refused.json()
    expect([refused.status, errors[0].pointer]).toEqual([400, pointer])
  })

  it('may come as a PDF, and as nothing that nobody can make', async () => {
    const put = async (format: string) => api.call('PUT', at('X'), { ...report, format })
    const made = await put('pdf')
    expect([made.status, await made.json()]).toEqual([201, expect.objectContaining({ format: 'pdf' })])
    expect((await put('docx')).status).toBe(400)
  })
})
