import { expect, it } from 'vitest'
import { apiOfTest } from '../../../test/support/api/testing.ts'
import { addReports } from './reports.ts'

const api = await apiOfTest({ parts: { extraEndpoints: [addReports] } })

const report = {
  kind: 'sessions',
  groupBy: 'label:cost-center',
  schedule: 'monthly',
  targets: [{ mail: 'a@b.example' }],
}
const at = (name: string) => `/2/reports/${encodeURIComponent(name)}`

// REPORT-A1: /2/reports
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
