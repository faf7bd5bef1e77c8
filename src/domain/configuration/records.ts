import type { VariableName } from '../device-model/records.ts'
import type { RebootPolicy } from '../intents/records.ts'
import type { DailyHours } from '../records/daily-hours.ts'
import { integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** A variable of OCPP 2.0.1 and the value that it is to have, as text. */
export interface DesiredVariable extends VariableName {
  readonly value: string
  readonly isSecret?: true | undefined
}

/** A configuration key of OCPP 1.6 and the value that it is to have; sealed where it is a secret. */
export interface DesiredKey {
  readonly key: string
  readonly value: string
  readonly isSecret?: true | undefined
}

/** Configurations by account and name; each is what its stations are to have (CONFIG-A1). */
export const configurations = record('configurations', {
  key: ['accountId', 'name'],
  columns: {
    accountId: text(),
    name: text(),
    selector: json<Selector>(),
    priority: integer(),
    variables: json<readonly DesiredVariable[]>(),
    keys16: json<readonly DesiredKey[]>(),
    rebootPolicy: text<RebootPolicy>(),
    rebootWindow: optional(json<DailyHours>()),
    revision: integer(),
    createdAt: integer(),
    /** Of its newest change: of two with one priority the later one wins. */
    updatedAt: integer(),
    /** Whose application it is of: it ends with the grant (OIDC-C12). Absent: a person's. */
    grantId: since(2, optional(text())),
  },
  upgrades: [(older) => older],
})

/** Names a configuration, a set of monitors or a local list of an account. */
export interface DesiredName {
  readonly kind: 'configurations' | 'monitor_sets' | 'local_lists'
  readonly name: string
}

export type Configuration = RecordOf<typeof configurations>
