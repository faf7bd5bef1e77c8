/** Change sets as the parameters of the functions that write them (functions/apply.ts). */

import { envelopeAround } from '../../../domain/events/emission.ts'
import { uuidTime } from '../../../domain/message-log/log-id.ts'
import type { Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChangeSet, Command, CommandAnswer } from '../../../domain/ports/storage-records.ts'
import type { NewEvent } from '../../../domain/ports/storage-webhooks.ts'
import type { Declaration } from '../../../domain/records/record.ts'
import { rowOf, rowValue } from '../../../domain/records/record-row.ts'
import { declarationOf, type RecordChange, type RecordKind } from '../../../domain/records/records.ts'
import { connectorKey } from '../../../domain/sessions/records.ts'
import { EnergySlots } from '../../documents/energy-slots.ts'
import { PendingDocuments, powerOf, requireStorable } from '../../documents/pending-documents.ts'
import { sqlColumns, sqlName } from '../../record-sql.ts'
import { DIRECTIONS, STATUSES } from '../../rows/command-row.ts'
import { sessionFacts, writeTransaction } from '../../rows/transaction-row.ts'
import { jsonToDatabase } from '../connection/text.ts'
import { KINDS, type Kind } from '../functions/apply.ts'
import { searchedAs, sessionSigns, transactionPlace } from '../rows/read-rows.ts'
import type { CountedEnergy } from './counted-energy.ts'
import type { LogNames } from './log-names.ts'

type Row = Readonly<Record<string, unknown>>
type RecordRows = Record<string, { put?: Row[] | undefined; removed?: Row[] | undefined }>

/** For one call; absent kinds are empty. */
export type Changes = Partial<Record<Exclude<Kind, 'records'>, readonly Row[]>> & {
  readonly records?: RecordRows | undefined
}

export function parametersOf(changes: Changes): readonly (string | null)[] {
  return KINDS.map((kind) => {
    const rows = changes[kind]
    return rows === undefined ? null : jsonToDatabase(rows)
  })
}

/** @param at position in its group of the first set @throws RangeError when a set cannot be stored */
export function changesOf(sets: readonly ChangeSet[], energy: CountedEnergy, names: LogNames, at = 0): Changes {
  const commands: Row[] = []
  const answers = new Map<number, Row>()
  const events: Row[] = []
  const settlements: Row[] = []
  const idTokens = new Map<string, Row>()
  const records = new Map<RecordKind, Map<string, RecordChange>>()
  const documents = new PendingDocuments()
  let hasDocuments = false

  sets.forEach((set, index) => {
    requireStorable(set)
    const { chargePointId, command, answer } = set
    if (command) commands.push(commandRow(command, names))
    if (answer) answers.set(answer.id, answerRow(chargePointId, answer, answers.get(answer.id)))
    for (const token of set.idTokens ?? [])
      idTokens.set(
        `${token.accountId} ${token.id.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}`,
        rowInSql(token),
      )
    for (const event of set.events ?? []) events.push(eventRow(event, at + index))
    for (const entry of set.settlements ?? []) settlements.push(rowInSql(entry))
    for (const change of set.records ?? []) keep(records, change)
    if (set.status || set.connectors || set.transactions || set.sessions) {
      hasDocuments = true
      const { status, connectors, transactions, sessions } = set
      documents.add({
        chargePointId,
        status,
        connectors,
        transactions,
        sessions,
        records: undefined,
        events: undefined,
      })
    }
  })
  return filled({
    commands,
    answers: [...answers.values()],
    events,
    settlements,
    id_tokens: [...idTokens.values()],
    records: records.size > 0 ? recordRows(records) : undefined,
    ...(hasDocuments ? documentRows(documents, energy) : undefined),
  })
}

function filled(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).filter(([, rows]) => rows !== undefined && !(Array.isArray(rows) && rows.length === 0)),
  )
}

function documentRows(documents: PendingDocuments, energy: CountedEnergy): Changes {
  const statuses: Row[] = []
  const connectors: Row[] = []
  const transactions: Row[] = []
  const sessions: Row[] = []
  const started: Row[] = []
  const slots = new EnergySlots()
  for (const cp of documents.chargePoints()) {
    const of = documents.of(cp)
    if (!of) continue
    if (of.status) statuses.push({ charge_point_id: cp, document: JSON.stringify(of.status) })
    for (const connector of of.connectors.values()) {
      const key = connectorKey(connector.evseId, connector.connectorId)
      connectors.push({ charge_point_id: cp, connector_key: key, ...rowInSql(connector) })
    }
    for (const transaction of of.transactions.values()) transactions.push(transactionRow(transaction))
    for (const session of of.sessions.values()) {
      const counted = energy.count(session, of.courses.get(session.id) ?? [], powerOf(session, of.transactions), slots)
      sessions.push(sessionRow(session, counted))
      if (counted.isNew) started.push({ id: session.id })
    }
  }
  const gained = Array.from(slots.entries(), ([account, slot, milliWh]) => ({
    account_id: account,
    slot,
    milli_wh: milliWh,
  }))
  return { statuses, connectors, transactions, sessions, new_sessions: started, slots: gained }
}

function commandRow(command: Command, names: LogNames): Row {
  const { number, text } = searchedAs(command.transactionId)
  return {
    id: command.id,
    cp: command.chargePointId,
    direction: DIRECTIONS.indexOf(command.direction),
    method: names.methodKey(command.method),
    message_id: command.messageId,
    protocol: names.protocolKey(command.protocol),
    connector_id: command.connectorId,
    evse_id: command.evseId,
    transaction_id: command.transactionId,
    status: STATUSES.indexOf(command.status),
    request: command.request,
    response: command.response,
    error: command.error && JSON.stringify(command.error),
    answered_at: command.answeredAt,
    schema_errors: command.schemaErrors,
    transaction_number: number,
    transaction_text: text,
  }
}

function answerRow(cp: string, answer: CommandAnswer, before: Row | undefined): Row {
  const transactionId = answer.transactionId ?? (before?.transaction_id as string | undefined)
  const { number, text } = searchedAs(transactionId)
  return {
    id: answer.id,
    cp,
    status: STATUSES.indexOf(answer.status),
    response: answer.response,
    error: answer.error && JSON.stringify(answer.error),
    answered_at: answer.answeredAt,
    schema_errors: answer.schemaErrors,
    transaction_id: transactionId,
    transaction_number: number,
    transaction_text: text,
  }
}

const STEP = 256

/**
 * STORE-N19: the WAL has the bytes between the first and last difference, so length rises in steps of trailing spaces.
 */
function inSteps(document: string): string {
  return document.padEnd(Math.ceil(document.length / STEP) * STEP)
}

function transactionRow(transaction: Transaction): Row {
  const { chargePointId, transactionId, startKey, sessionId, open } = transaction
  const { outlet, occurredAt } = transactionPlace(transaction)
  return {
    charge_point_id: chargePointId,
    transaction_id: transactionId,
    start_key: startKey,
    session_id: sessionId,
    open: open ? 1 : 0,
    document: open ? inSteps(writeTransaction(transaction)) : writeTransaction(transaction),
    outlet,
    occurred_at: occurredAt,
  }
}

/** The columns of `writeSession` that are not empty, and PostgreSQL's own. */
function sessionRow(session: Session, counted: ReturnType<CountedEnergy['count']>): Row {
  const { overdueNumber, overdueToken, clockWaits } = sessionSigns(session)
  return {
    id: session.id,
    account_id: session.accountId,
    charge_point_id: session.chargePointId,
    state: session.state,
    energy_milli_wh: session.energyMilliWh,
    external_reference: session.externalReference,
    cost_micros: session.cost?.micros,
    currency: session.cost?.currency,
    settlement_count: session.settlementCount,
    started_at: session.startedAt,
    stopped_at: session.stoppedAt,
    created_at: session.createdAt,
    version: session.version,
    id_token: session.idToken,
    facts: sessionFacts(session),
    energy_at: counted.energyAt ?? undefined,
    power_milli_w: counted.powerMilliW ?? undefined,
    overdue_number: overdueNumber,
    overdue_token: overdueToken,
    clock_waits: clockWaits,
  }
}

function rowInSql(record: object): Row {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [sqlName(name), value]))
}

function eventRow(event: NewEvent, at: number): Row {
  const { id, accountId, type, subject, chargePointId, kind, time, causes, coalesceKey, orderKey } = event
  return {
    at,
    id,
    account_id: accountId,
    session_id: subject,
    charge_point_id: chargePointId,
    kind,
    time,
    body: envelopeAround(event),
    causes: JSON.stringify(causes),
    type,
    now: uuidTime(id) ?? time,
    order_key: orderKey === subject ? undefined : orderKey,
    coalesce_key: coalesceKey === subject ? undefined : coalesceKey,
    replaces: coalesceKey !== undefined,
    also_to: event.alsoTo,
  }
}

/** Of several changes of a record the last is written, unless it is written once. */
function keep(records: Map<RecordKind, Map<string, RecordChange>>, change: RecordChange): void {
  const declaration = declarationOf(change.kind)
  const members = ('put' in change ? change.put : change.remove) as object
  const key = JSON.stringify(keyRow(declaration, members))
  const known = records.get(change.kind) ?? new Map<string, RecordChange>()
  records.set(change.kind, known)
  const earlier = known.get(key)
  if (declaration.writtenOnce && earlier && 'put' in earlier && 'put' in change) return
  known.set(key, earlier ? added(declaration, earlier, change) : change)
}

/** RECORD-D9: one statement writes each row once. */
function added({ columns }: Declaration, earlier: RecordChange, change: RecordChange): RecordChange {
  if (!('put' in earlier && 'put' in change)) return change
  const before = earlier.put as unknown as Readonly<Record<string, number>>
  const put: Record<string, unknown> = { ...change.put }
  for (const [name, { isSum }] of Object.entries(columns))
    if (isSum) put[name] = (before[name] ?? 0) + Number(put[name])
  return { kind: change.kind, put } as unknown as RecordChange
}

function recordRows(records: ReadonlyMap<RecordKind, ReadonlyMap<string, RecordChange>>): RecordRows {
  const rows: RecordRows = {}
  for (const [kind, changes] of records) {
    const declaration = declarationOf(kind)
    const columns = sqlColumns(declaration)
    const put: Row[] = []
    const removed: Row[] = []
    for (const change of changes.values()) {
      if ('put' in change) {
        const values = rowOf(declaration, change.put as unknown as Readonly<Record<string, unknown>>)
        put.push(Object.fromEntries(columns.map(({ name }, index) => [name, values[index]])))
      } else removed.push(keyRow(declaration, change.remove))
    }
    rows[kind] = { ...(put.length > 0 && { put }), ...(removed.length > 0 && { removed }) }
  }
  return rows
}

function keyRow(declaration: Declaration, members: object): Row {
  const values = members as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    declaration.key.map((member) => [sqlName(member), rowValue(declaration, member, values[member])]),
  )
}
