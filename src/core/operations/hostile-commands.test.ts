import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'
import { wholeRequest } from '../../../test/support/ocpp/answers.ts'
import { damaged } from '../../../test/support/ocpp/damaged.ts'
import { versions } from '../../ocpp/versions.ts'

const SOME = ['control', 'limits', 'configuration', 'firmware', 'certificates'] as const

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('commands to a charge point of %s', (protocol) => {
  const core = coresOfTests()

  it('OCPP-RP13: whatever a request holds, it is sent or refused', async () => {
    const { core: running, boot16, boot201, logged } = await core()
    const station = await (protocol === 'ocpp1.6' ? boot16('CP1') : boot201('CP1'))
    let seen = 0
    /** Else the queue would be full, which is a refusal as well. */
    const answerAll = async (): Promise<void> => {
      for (;;) {
        const asked = station.frames.slice(seen).filter(([type]) => type === 2)
        seen = station.frames.length
        if (asked.length === 0) return
        for (const [, id] of asked) station.send(JSON.stringify([3, id, {}]))
        await station.call('Heartbeat', {})
      }
    }
    const methods = Object.keys(versions[protocol].toChargePoint)
    for (const [at, method] of methods.entries()) {
      const whole = wholeRequest(protocol, method)
      for (const request of fc.sample(damaged(whole), { numRuns: 10, seed: at + 1 })) {
        const order = { accountId: 'account-1', chargePointId: 'CP1', method, request, waitMs: 0 }
        for (const capabilities of [undefined, SOME]) {
          const sent = await running.sendCommand({ ...order, capabilities })
          if ('refused' in sent) expect([400, 403, 409, 422], JSON.stringify([order, sent])).toContain(sent.status)
          else await answerAll()
        }
      }
    }
    expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
