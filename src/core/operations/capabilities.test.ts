import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'

const core = coresOfTests()
const order = (method: string, request: Record<string, unknown>) => ({
  accountId: 'account-1',
  chargePointId: 'CP-1',
  method,
  request,
  waitMs: 0,
  capabilities: ['control'] as const,
})

it('OIDC-C11: a name that has no text ended in a 500: it is refused as any other', async () => {
  const { core: running, boot16, boot201 } = await core()
  await Promise.all([boot16('CP-1'), boot201('CP-2')])
  const name = { toString: '' }
  const may = { capabilities: ['control', 'configuration'] as const }
  const of16 = { ...order('ChangeConfiguration', { key: name, value: '1' }), ...may }
  expect(await running.sendCommand(of16)).toMatchObject({ refused: true, status: 400 })
  const setVariableData = [{ component: { name }, variable: { name }, attributeValue: '1' }]
  const of201 = { ...order('SetVariables', { setVariableData }), ...may, chargePointId: 'CP-2' }
  expect(await running.sendCommand(of201)).toMatchObject({ refused: true, status: 400 })
})
