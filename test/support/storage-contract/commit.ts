import { expect, it } from 'vitest'
import type { StoreFixture } from './fixture.ts'
import {
  aChargePoint,
  aCommand,
  anEvent,
  anIdToken,
  aSession,
  aSubscription,
  changeSet,
  NOW,
  store as put,
} from './records.ts'

export function commitBehaviour({ store, reopen }: StoreFixture): void {
  it('law 7: logs messages of charge points nobody registered, and of no known method', async () => {
    const { core, reads } = store()
    const command = aCommand(1, { chargePointId: 'who?', method: "Robert'); DROP TABLE commands;--" })
    await put(core, [command])
    expect(await reads.findCommand('who?', command.id)).toEqual(command)
    expect(await reads.findCommand('CP1', command.id)).toBeUndefined()
  })

  it('OCPP-LG1: a command comes back with every attribute, its texts byte for byte', async () => {
    const { core } = store()
    const command = aCommand(1, {
      direction: 'out',
      protocol: 'ocpp2.0.1',
      connectorId: 0,
      evseId: 2,
      transactionId: '9223372036854775807',
      status: 'error',
      request: '{"a" : 9223372036854775807, "b":"\\u0000\u{1F50C}"}',
      response: '[1.0]',
      error: { code: 'GenericError', description: '', details: { deep: [null] } },
      answeredAt: NOW + 9,
      schemaErrors: '/a must be string',
    })
    await put(core, [command])
    const { reads } = await reopen()
    expect(await reads.findCommand('CP1', command.id)).toEqual(command)
  })

  it('OCPP-LG3: an answer completes its row and keeps what it does not know better', async () => {
    const { core, reads } = store()
    const { response: _, ...asked } = aCommand(1, { direction: 'out', status: 'pending', transactionId: '7' })
    await put(core, [asked])
    const answer = { id: asked.id, status: 'success', response: '{"status":"Accepted"}', answeredAt: NOW + 50 } as const
    await core.commit([changeSet({ answer })])
    expect(await reads.findCommand('CP1', asked.id)).toEqual({ ...asked, ...answer })
    await core.commit([changeSet({ answer: { ...answer, transactionId: '8' } })])
    expect((await reads.findCommand('CP1', asked.id))?.transactionId).toBe('8')
    expect(await core.commit([changeSet({ answer: { ...answer, id: 1 } })])).toEqual([{ ok: true }])
  })

  it('a failing change set leaves no trace, and the rest of its group is stored', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    await put(core, [aCommand(1)])
    const twice = changeSet({
      command: aCommand(2),
      sessions: [aSession()],
      idTokens: [anIdToken({ accountId: 'none' })],
    })
    const results = await core.commit([
      changeSet({ command: aCommand(3, { chargePointId: 'CP2', method: 'BeforeTheFault' }) }),
      twice,
      changeSet({ command: aCommand(4, { chargePointId: 'CP3', method: 'AfterTheFault' }) }),
    ])
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(await reads.findCommand('CP1', aCommand(2).id)).toBeUndefined()
    expect(await reads.findSession('S1')).toBeUndefined()
    expect((await reads.findCommand('CP2', aCommand(3).id))?.method).toBe('BeforeTheFault')
    expect((await reads.findCommand('CP3', aCommand(4).id))?.method).toBe('AfterTheFault')
  })

  it('a document that no table takes fails its message before it is answered, and no other', async () => {
    const { core, reads } = store()
    const results = await core.commit([
      changeSet({ command: aCommand(1), sessions: [aSession({ energyMilliWh: Number.NaN })] }),
      changeSet({ command: aCommand(2, { chargePointId: 'CP2' }), sessions: [aSession({ id: 'S2' })] }),
    ])
    expect(results.map(({ ok }) => ok)).toEqual([false, true])
    expect(await reads.findCommand('CP1', aCommand(1).id)).toBeUndefined()
    expect(await reads.findSession('S1')).toBeUndefined()
    expect(await reads.findSession('S2')).toEqual(aSession({ id: 'S2' }))
  })

  it('names first met in a failing change set are right in the next one', async () => {
    const { core, reads } = store()
    const first = aCommand(1, { chargePointId: 'NEW', method: 'Novel', protocol: 'ocpp9' })
    const failing = changeSet({ command: first, idTokens: [anIdToken({ accountId: 'none' })] })
    expect((await core.commit([failing]))[0]?.ok).toBe(false)
    const others = aCommand(2, { chargePointId: 'OTHER', method: 'Other', protocol: 'ocpp8' })
    await put(core, [others, first])
    expect(await reads.findCommand('NEW', first.id)).toEqual(first)
    expect(await reads.findCommand('OTHER', others.id)).toEqual(others)
  })

  it('after a failure later change sets of that charge point report the same error and are not applied', async () => {
    const { core, reads } = store()
    await put(core, [aCommand(1)])
    const results = await core.commit([
      changeSet({ command: aCommand(1) }),
      changeSet({ command: aCommand(2) }),
      changeSet({ command: aCommand(3, { chargePointId: 'CP2' }) }),
    ])
    const [failed, poisoned, other] = results
    expect(failed).toMatchObject({ ok: false, error: expect.any(Error) })
    expect(poisoned).toEqual(failed)
    expect(other).toEqual({ ok: true })
    expect(await reads.findCommand('CP1', aCommand(2).id)).toBeUndefined()
    expect(await core.commit([changeSet({ command: aCommand(2) })])).toEqual([{ ok: true }])
  })

  it('applies the sets in order: the last version of a session is the stored one', async () => {
    const { core, reads } = store()
    const versions = [1, 2, 3].map((version) =>
      changeSet({ sessions: [aSession({ version, energyMilliWh: version * 1000 })] }),
    )
    await core.commit(versions)
    expect(await reads.findSession('S1')).toEqual(aSession({ version: 3, energyMilliWh: 3000 }))
  })

  it('an event that is delivered is stored once: its repetition fails with everything that came with it', async () => {
    const { core, reads, writes } = store()
    await writes.createSubscription(aSubscription(), 16)
    const event = anEvent()
    expect((await core.commit([changeSet({ events: [event] })]))[0]?.ok).toBe(true)
    expect((await core.commit([changeSet({ events: [event], sessions: [aSession()] })]))[0]?.ok).toBe(false)
    expect(await reads.findSession('S1')).toBeUndefined()
  })

  it('HOOK-F1: says whose events somebody is to hear of', async () => {
    const { core, writes } = store()
    expect(await core.commit([changeSet({ events: [anEvent()] })])).toEqual([{ ok: true }])
    await writes.createSubscription(aSubscription({ updates: 'transitions' }), 16)
    const results = await core.commit([
      changeSet({ events: [anEvent({ id: 'E2' })] }),
      changeSet({ command: aCommand(1) }),
      changeSet({ events: [anEvent({ id: 'E3', kind: 'figures' })] }),
    ])
    expect(results).toEqual([{ ok: true, due: true }, { ok: true }, { ok: true }])
  })

  it('an empty group is a group', async () => {
    expect(await store().core.commit([])).toEqual([])
  })

  it('commits do not interleave, however many are asked for at once', async () => {
    const { core, reads } = store()
    const groups = Array.from({ length: 20 }, (_, n) => core.commit([changeSet({ command: aCommand(n) })]))
    expect((await Promise.all(groups)).flat().every(({ ok }) => ok)).toBe(true)
    expect(await reads.greatestCommandId()).toBe(aCommand(19).id)
  })

  it('OCPP-LG2: outgoing commands left pending by a restart become dropped, nothing else', async () => {
    const before = store()
    await put(before.core, [
      aCommand(1, { direction: 'out', status: 'pending' }),
      aCommand(2, { direction: 'out', status: 'success' }),
      aCommand(3, { direction: 'in', status: 'pending' }),
    ])
    const { core, reads } = await reopen()
    expect(await core.dropPendingCommands()).toBe(1)
    expect(await core.dropPendingCommands()).toBe(0)
    const statuses = await Promise.all(
      [1, 2, 3].map(async (n) => (await reads.findCommand('CP1', aCommand(n).id))?.status),
    )
    expect(statuses).toEqual(['dropped', 'success', 'pending'])
  })
}
