/** Bulk orders: one thing ordered of many charge points, and what became of each of them (BULK-B1). */

import type { LogInput, LogType } from '../logs/records.ts'
import type { Capability } from '../ports/capability.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

interface OrderPosition {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

/** What is ordered as one command of OCPP; each version spells it in its own way. */
export type CommandedOrder =
  | { readonly kind: 'reset'; readonly type: 'soft' | 'hard' }
  | ({ readonly kind: 'unlock' } & OrderPosition)
  | ({ readonly kind: 'availability'; readonly available: boolean } & OrderPosition)
  | { readonly kind: 'command'; readonly method: string; readonly request: Readonly<Record<string, unknown>> }

/** What is ordered of each charge point. */
export type BulkWhat =
  | CommandedOrder
  | { readonly kind: 'label'; readonly labels: Readonly<Record<string, string | null>> }
  | {
      readonly kind: 'log'
      readonly type: LogType
      readonly fromAt?: number | undefined
      readonly toAt?: number | undefined
    }
  | { readonly kind: 'configuration'; readonly name: string }
  | { readonly kind: 'firmware'; readonly firmwareId: string }

/** Who ordered it: looked up again as long as it is not over (BULK-B6). */
export type BulkActor =
  | { readonly kind: 'credential'; readonly id: string }
  | { readonly kind: 'grant'; readonly id: string }
  | { readonly kind: 'user'; readonly id: string }

/** `ordering` and `ending` until every charge point has heard of it; a server that dies leaves that to the next. */
type BulkState = 'ordering' | 'running' | 'ending' | 'cancelled' | 'done'

/** Those that are looked at until they are over. */
export const OPEN_ORDERS = ['ordering', 'running', 'ending'] as const satisfies readonly BulkState[]

/** Bulk orders, by account. */
export const bulkOrders = record('bulk_orders', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: text(),
    state: text<BulkState>(),
    reason: optional(text()),
    selector: json<Selector>(),
    /** A `BulkWhat` as JSON; sealed where it holds a secret. */
    what: text(),
    isSealed: flag(),
    by: json<BulkActor>(),
    /** What the one who ordered it may have a charge point do; absent: everything. */
    capabilities: optional(json<readonly Capability[]>()),
    total: integer(),
    expiresAt: integer(),
    auditId: optional(integer()),
    campaignId: optional(text()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [['state'], ['accountId', 'state'], ['createdAt']],
  age: 'createdAt',
})

export type BulkOrder = RecordOf<typeof bulkOrders>

/** Those in which a charge point is not done with it. */
export const OPEN_ROWS = ['waiting', 'sent'] as const

/** `waiting`: for station or turn. `sent`: for its answer. `refused`: never sent. `failed`: sent, or not in time. */
export const ROW_STATES = [...OPEN_ROWS, 'done', 'failed', 'refused', 'cancelled'] as const

export type BulkRowState = (typeof ROW_STATES)[number]

/** What became of one charge point; it stays when the charge point goes. */
export const bulkOrderRows = record('bulk_order_rows', {
  key: ['orderId', 'stationId'],
  columns: {
    orderId: text(),
    stationId: text(),
    state: text<BulkRowState>(),
    reason: optional(text()),
    commandId: optional(text()),
    isOrdered: flag(),
    updatedAt: integer(),
    answer: since(2, optional(text())),
    /** From its answer to its boot; of a reset. */
    backAfterMs: since(2, optional(integer())),
  },
  indexes: [['orderId', 'state'], ['updatedAt']],
  age: 'updatedAt',
  upgrades: [(older) => older],
})

export type BulkRow = RecordOf<typeof bulkOrderRows>

/** A reset that the charge point has accepted (BULK-B10). */
export interface Restart {
  readonly commandId: string
  readonly answer: string
  readonly answeredAt: number
}

/** What a charge point has left to do of an order; it goes as soon as that is over. */
export const bulkParts = record('bulk_parts', {
  key: ['chargePointId', 'orderId'],
  columns: {
    chargePointId: text(),
    orderId: text(),
    /** `restarting`: its row is done, and only the boot is awaited. */
    state: text<(typeof OPEN_ROWS)[number] | 'restarting'>(),
    requestId: optional(integer()),
    /** Of the order: older ones go first (BULK-B5). */
    createdAt: integer(),
    restart: since(2, optional(json<Restart>())),
  },
  loadedWith: 'chargePoint',
  upgrades: [(older) => older],
})

export type BulkPart = RecordOf<typeof bulkParts>

/** Inputs of rules.ts, about the part that one charge point has in an order. */
export type BulkInput = InputsOf<{
  bulkOrdered: { orderId: string; createdAt: number }
  bulkSent: { orderId: string; commandId: string }
  bulkAnswered: {
    orderId: string
    commandId: string
    isAccepted: boolean
    answer?: string | undefined
    reason?: string | undefined
    restarts?: true | undefined
  }
  bulkLogOrdered: {
    orderId: string
    log: Extract<LogInput, { kind: 'logRequested' }>
  }
  /** The log that was asked for is here, or will not come. */
  bulkLogOver: { orderId: string }
  bulkRolledBack: { orderId: string; into: Exclude<BulkRowState, 'waiting' | 'sent' | 'done'>; reason: string }
  chargePointGone: unknown
}>

/** Why a charge point did not do a bulk order: stored as a sentence, said by pages in their language (BULK-B8). */
export const REASONS = {
  deleted: 'the charge point was deleted',
  notInTime: 'it was not connected in time',
  unsent: 'it could not be sent in time',
  lost: 'the connection ended before the charge point answered',
  cancelled: 'the order was cancelled',
  notShared: 'it is not shared with the application any more',
  sealed: 'the order was sealed under another secret key',
  tooManyLogs: 'too many logs of it are expected already',
  logDeleted: 'the log was deleted',
  configurationDeleted: 'the configuration was deleted',
  configurationElsewhere:
    'The configuration means other charge points, and does not name them by id: change its selector.',
  userDisabled: 'the user who ordered it is disabled',
  userMayNot: 'the user who ordered it may not operate charge points any more',
  credentialRevoked: 'the API credential was revoked',
  credentialExpired: 'the API credential has expired',
  grantEnded: 'the grant of the application has ended',
  grantUserDisabled: 'the user of the application is disabled',
  unknown: 'There is no such charge point.',
  notAccepted: 'The charge point is not accepted.',
} as const

const ANSWERED = 'the charge point answered '

/** The reason of a command that was not answered in time. */
export function noAnswerIn(ms: number): string {
  return `no answer in ${ms / 1000} s`
}

/** Why it did not do it; what it answered itself is stored once, as its answer. */
export function reasonOf({ state, reason, answer }: Pick<BulkRow, 'state' | 'reason' | 'answer'>): string | undefined {
  return reason ?? (state === 'failed' && answer !== undefined ? `${ANSWERED}${answer}` : undefined)
}
