import { expect, it } from 'vitest'
import { aCommand } from '../../../test/support/storage-contract/records.ts'
import type { Command } from '../ports/storage-records.ts'
import { commandJson, commandJsonV1 } from './csv.ts'
import { logIdAt } from './log-id.ts'

const row: Command = aCommand(0, {
  id: logIdAt(Date.UTC(2026, 7, 1)) + 3,
  chargePointId: 'CP "1"',
  method: 'StopTransaction',
  messageId: 'm1',
  connectorId: 0,
  transactionId: '9007199254740993',
  request: '{"transactionId":9007199254740993,"meterStop":1.0, "a":1,"a":2}',
  response: '{}',
  answeredAt: Date.UTC(2026, 7, 1) + 5,
})

it('API-B4, API-B1: exactly the attributes that are known, absent and never null', () => {
  expect(JSON.parse(commandJson(row, 5n))).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    evseControllerId: 'CP "1"',
    method: 'StopTransaction',
    direction: 'in',
    messageId: 'm1',
    protocol: 'ocpp1.6',
    connectorId: 0,
    transactionId: '9007199254740993',
    status: 'success',
    request: expect.anything(),
    response: {},
    createdAt: '2026-08-01T00:00:00.000Z',
    answeredAt: '2026-08-01T00:00:00.005Z',
  })
  const { response, answeredAt, connectorId, transactionId, ...pending } = row
  expect(Object.keys(JSON.parse(commandJson({ ...pending, status: 'pending' }, 5n)))).toEqual([
    'id',
    'evseControllerId',
    'method',
    'direction',
    'messageId',
    'protocol',
    'status',
    'request',
    'createdAt',
  ])
  expect([response, answeredAt, connectorId, transactionId]).toHaveLength(4)
})

it('API-B4: payloads keep their bytes: big integers, member order, repeated members', () => {
  expect(commandJson(row, 5n)).toContain(`"request":${row.request},"response":{}`)
})

it('SEARCH-V3: a v1 row has 24 hex digits and no status', () => {
  const v1 = JSON.parse(commandJsonV1(row, 5n))
  expect(v1.id).toMatch(/^[0-9a-f]{24}$/)
  expect(v1).not.toHaveProperty('status')
  expect(v1.error).toBeUndefined()
})

it('API-B4: a row that holds no JSON is shown as text', () => {
  expect(JSON.parse(commandJson({ ...row, request: '<html>' }, 5n)).request).toBe('<html>')
  expect(JSON.parse(commandJson({ ...row, request: '' }, 5n)).request).toBe('')
})
