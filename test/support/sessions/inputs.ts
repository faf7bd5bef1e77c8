/** For tests: what a station says, in minutes after the zero of the driver. */
import type { Activity, Sample } from '../../../src/domain/ports/sessions.ts'
import type { Input } from '../../../src/domain/sessions/decision.ts'
import { at } from './driver.ts'

export const CARD = { id: 'CARD', type: 'ISO14443' }

export function register(minutes: number, wattHours: number, context = 'Sample.Periodic'): Sample {
  return {
    at: at(minutes),
    value: String(wattHours),
    measurand: 'Energy.Active.Import.Register',
    context,
    location: 'Outlet',
    unit: 'Wh',
    multiplier: 0,
  }
}

export type Of<Kind extends Input['kind']> = Extract<Input, { kind: Kind }>
export type Facts<Kind extends Input['kind']> = Partial<Omit<Of<Kind>, 'kind' | 'at'>>

export function started(minutes: number, facts: Facts<'started'> = {}): Of<'started'> {
  const connectorId = facts.connectorId ?? 1
  const startKey = `${connectorId}|${minutes}|${facts.idToken?.id ?? CARD.id}`
  return { kind: 'started', connectorId, idToken: CARD, registerMilliWh: 0, startKey, ...facts, at: at(minutes) }
}

export function sampled(transactionId: string | undefined, samples: readonly Sample[], connectorId = 1): Of<'sampled'> {
  return { kind: 'sampled', connectorId, samples, transactionId }
}

export function stopped(minutes: number, facts: Facts<'stopped'> = {}): Of<'stopped'> {
  const digest = `stop|${minutes}|${facts.transactionId ?? ''}|${facts.registerMilliWh ?? ''}`
  const stopKey = `${minutes}|${facts.registerMilliWh ?? ''}|${facts.idToken?.id ?? ''}`
  return { kind: 'stopped', reason: 'Local', samples: [], digest, stopKey, ...facts, at: at(minutes) }
}

const ACTIVITIES: Readonly<Record<string, Activity>> = {
  Available: 'available',
  Preparing: 'preparing',
  Charging: 'charging',
  SuspendedEV: 'suspendedEv',
  SuspendedEVSE: 'suspendedEvse',
  Finishing: 'finishing',
  Faulted: 'faulted',
}

export function status(minutes: number, name: string, connectorId = 1, evseId?: number): Of<'connectorStatus'> {
  const activity = ACTIVITIES[name] ?? 'other'
  const place = { connectorId, evseId }
  return { kind: 'connectorStatus', ...place, status: name, activity, at: at(minutes) }
}

export function event(
  sequenceNumber: number,
  minutes: number,
  kind: Of<'transactionEvent'>['event'],
  facts: Facts<'transactionEvent'> = {},
): Of<'transactionEvent'> {
  return {
    kind: 'transactionEvent',
    event: kind,
    transactionId: 'T1',
    sequenceNumber,
    trigger: 'ChargingStateChanged',
    samples: [],
    digest: `${kind}|${sequenceNumber}|${minutes}`,
    ...facts,
    at: at(minutes),
  }
}
