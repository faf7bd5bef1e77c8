import { describe, expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'

describe('commands on behalf of somebody who may not send every one', () => {
  const core = coresOfTests()
  const order = (method: string, request: Record<string, unknown>) => ({
    accountId: 'account-1',
    chargePointId: 'CP-1',
    method,
    request,
    waitMs: 0,
    capabilities: ['control'] as const,
  })

  it('OIDC-C11: one that the caller does not have is refused before anything of it is stored, sent or taken as a password', async () => {
    const { core: running, boot16, commands } = await core()
    const station = await boot16('CP-1')
    const before = (await commands('CP-1')).length
    const password = await running.sendCommand(
      order('ChangeConfiguration', { key: 'AuthorizationKey', value: '0123456789abcdef0123' }),
    )
    expect(password).toMatchObject({ refused: true, status: 403, code: 'insufficient_scope' })
    expect(password).toMatchObject({ detail: expect.stringContaining('password or address') })
    const firmware = await running.sendCommand(order('UpdateFirmware', {}))
    expect(firmware).toMatchObject({ status: 403, detail: expect.stringContaining('needs firmware') })
    const without = await running.sendCommand({ ...order('UnlockConnector', { connectorId: 1 }), capabilities: [] })
    expect(without).toMatchObject({ refused: true, status: 403 })
    const unlock = await running.sendCommand(order('UnlockConnector', { connectorId: 1 }))
    expect(unlock).toMatchObject({ status: 'pending' })
    await station.frame((frame) => frame[0] === 2)
    expect(station.frames.filter((frame) => frame[0] === 2).map((frame) => frame[2])).toEqual(['UnlockConnector'])
    expect((await commands('CP-1')).length).toBe(before + 1)
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

  it('OIDC-C11: the version that the charge point speaks decides', async () => {
    const { core: running, boot201 } = await core()
    await boot201('CP-1')
    const start = (chargingProfilePurpose: string) =>
      running.sendCommand(
        order('RequestStartTransaction', {
          idToken: { idToken: 'A', type: 'Central' },
          remoteStartId: 1,
          evseId: 1,
          chargingProfile: {
            id: 1,
            stackLevel: 0,
            chargingProfilePurpose,
            chargingProfileKind: 'Relative',
            chargingSchedule: [
              { id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8 }] },
            ],
          },
        }),
      )
    expect(await start('ChargingStationMaxProfile')).toMatchObject({ status: 403, code: 'insufficient_scope' })
    expect(await start('TxProfile')).toMatchObject({ status: 'pending' })
    expect(await running.sendCommand(order('SetNetworkProfile', {}))).toMatchObject({ status: 403 })
    expect(await running.sendCommand(order('RemoteStartTransaction', {}))).toMatchObject({ code: 'unsupported_method' })
  })
})
