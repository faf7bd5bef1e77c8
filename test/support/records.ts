/** Records of stations and their orders, complete but small: a test names the members that it is about. */
import type { Alert } from '../../src/domain/alerts/records.ts'
import type { BulkOrder } from '../../src/domain/bulk-orders/records.ts'
import type { Configuration } from '../../src/domain/configuration/records.ts'
import type { StoredVariable } from '../../src/domain/device-model/records.ts'
import type { Campaign } from '../../src/domain/firmware/records.ts'
import type { Intent } from '../../src/domain/intents/records.ts'
import type { Group } from '../../src/domain/limit-groups/group.ts'
import type { StationList } from '../../src/domain/local-lists/records.ts'
import type { MonitorSet } from '../../src/domain/monitors/records.ts'
import type { StoredCall } from '../../src/domain/outgoing-calls/records.ts'
import type { FrozenTariff } from '../../src/domain/ports/sessions.ts'

export function anAlert(id: string, change: Partial<Alert> = {}): Alert {
  const rule = { accountId: 'A', ruleId: 'r', ruleName: 'R', kind: 'faulted', state: 'raised' } as const
  return { ...rule, id, about: 'CP1', since: 0, raisedAt: 0, facts: { stationId: 'CP1' }, ...change }
}

export function aBulkOrder(id: string, change: Partial<BulkOrder> = {}): BulkOrder {
  const order = { accountId: 'A', selector: {}, isSealed: false, total: 1, state: 'running' } as const
  const times = { expiresAt: 0, createdAt: 0, updatedAt: 0 }
  return {
    ...order,
    ...times,
    id,
    what: '{"kind":"reset","type":"hard"}',
    by: { kind: 'credential', id: 'c' },
    ...change,
  }
}

export function aCampaign(change: Partial<Campaign> = {}): Campaign {
  const limits = { maxFailureMillionths: 100_000, soakMs: 1000, silenceMs: 1000, onlyIdle: false, retryOffline: true }
  const target = { version: '2.0', firmwareId: 'fw_1' }
  const times = { createdAt: 0, updatedAt: 0 }
  const waves = ['1', '100%']
  return {
    accountId: 'A',
    id: 'cmp_1',
    state: 'running',
    selector: {},
    target,
    waves,
    ...limits,
    wave: 1,
    ...times,
    ...change,
  }
}

export function aConfiguration(name: string, change: Partial<Configuration> = {}): Configuration {
  const empty = { selector: {}, priority: 0, variables: [], keys16: [], rebootPolicy: 'never' } as const
  return { accountId: 'account-1', name, ...empty, revision: 1, createdAt: 0, updatedAt: 0, ...change }
}

export function anIntent(key: string, change: Partial<Intent> = {}): Intent {
  const owner = { chargePointId: 'CP1', accountId: 'A', kind: 'variable' } as const
  const progress = { revision: 1, state: 'pending', attempts: 0, drifts: [] } as const
  return { ...owner, key, desired: '1', isSecret: false, ...progress, updatedAt: 1, ...change }
}

export function aCall(change: Partial<StoredCall> = {}): StoredCall {
  const sent = { method: 'Reset', request: '{}', isSealed: false, protocol: 'ocpp1.6', priority: 'rest' } as const
  return { chargePointId: 'CP1', id: 1, messageId: 'm', ...sent, purpose: { kind: 'command' }, ...change }
}

export function aMonitorSet(name: string, change: Partial<MonitorSet> = {}): MonitorSet {
  const times = { revision: 1, createdAt: 0, updatedAt: 0 }
  return { accountId: 'account-1', name, selector: {}, monitors: [], ...times, ...change }
}

/** Of a charge point that has the list, in version 3. */
export function aStationList(change: Partial<StationList> = {}): StationList {
  const owner = { chargePointId: 'CP1', accountId: 'A', list: 'l' }
  const progress = { version: 3, asksVersion: false, state: 'pending', attempts: 0, nextAttemptAt: 0 } as const
  return { ...owner, wantedAt: 5, ...progress, updatedAt: 0, ...change }
}

/** Free, but for what is named. */
export function aTariff(change: Partial<FrozenTariff> = {}): FrozenTariff {
  const prices = { perKwhMicros: 0, perMinuteMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }
  return { tariffId: 't', version: 1, currency: 'EUR', ...prices, ...change }
}

/** `Component.Variable`, as it was reported. */
export function aVariable(key: string, change: Partial<StoredVariable> = {}): StoredVariable {
  const [component = '', name = ''] = key.split('.')
  return {
    chargePointId: 'CP1',
    key: key.toLowerCase(),
    accountId: 'A',
    componentName: component.toLowerCase(),
    variableName: name.toLowerCase(),
    name: { component: { name: component }, variable: { name }, attribute: 'Actual' },
    value: '1',
    characteristics: { mutability: 'ReadWrite' },
    gone: false,
    updatedAt: Date.UTC(2026, 7, 1),
    ...change,
  }
}

export function aLimitGroup(change: Partial<Group> = {}): Group {
  const limits = { limitAmps: 60, minAmps: 6, bufferAmps: 0, safeAmps: 30, fallbackAmps: 0, leaseMs: 600_000 }
  return { name: 'site', phases: 3, ...limits, strategy: 'equal', ...change }
}
