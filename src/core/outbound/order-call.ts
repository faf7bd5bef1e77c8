/** Orders a CALL: its row, record and effect on a session are committed before it leaves (SESSION-O1, OCPP-RP15). */

import { lookups } from '../../domain/blocks/decide.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { PasswordHashes, Purpose } from '../../domain/outgoing-calls/records.ts'
import { sentCall } from '../../domain/outgoing-calls/rules.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { afterReboot, hashPassword, without } from '../../ocpp/credentials.ts'
import { mask } from '../../ocpp/mask.ts'
import { type OutgoingCall, object } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { type CoreContext, decideOn, NO_CHANGES } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { type FoundStation, OrderRefused } from '../operations/find-station.ts'
import { type CallOutcome, UNSENT } from './call-outcome.ts'
import { mayLeaveAtOnce, pump, ruleOf, sendNow } from './outbound.ts'
import type { Claim, QueuedCall } from './outgoing-queue.ts'
import { puts, storedCall, withRecord } from './stored-call.ts'

export interface CallOrder {
  readonly stationId: string
  readonly call: OutgoingCall
  readonly purpose: Purpose
  readonly expiresAt: number
  /** Decided and committed with the pending row (a remote start's session). */
  readonly input?: Input
  /** As `input`, where it needs the command's public id. */
  readonly inputOf?: (commandId: string) => Input
  readonly answered?: (row: Command, outcome: CallOutcome, late: boolean) => void
}

/** Commits the pending row, then queues the CALL. */
export function orderCall(context: CoreContext, order: CallOrder): Promise<Command> {
  const { call, purpose, expiresAt } = order
  const priority = ruleOf(context.outgoing.purposes, purpose).priority?.(call) ?? 'rest'
  return new Promise((resolve, reject) => {
    let row: Command | undefined
    let queued: QueuedCall | undefined
    let refused: string | undefined
    let claim: Claim | undefined
    context.engine.enqueue({
      stationId: order.stationId,
      prepare: () => (order.input ? lookups(order.input) : undefined),
      decide(station) {
        const { version } = station
        const made = version && pendingRow(context, station.id, version, call)
        const input = order.input ?? (made && order.inputOf?.(made.messageId))
        const decision = input ? decideOn(context, station, input) : NO_CHANGES
        refused = decision.outcome.refused ?? (version ? undefined : 'charge_point_offline')
        // Leaves with this commit if nothing is queued before it; else with its own.
        const place = mayLeaveAtOnce(station, call.method)
        claim = refused === undefined && place !== undefined ? station.outgoing.claimAtOnce(place) : undefined
        if (refused === undefined && !station.outgoing.reserve()) refused = 'queue_full'
        if (refused !== undefined || !made) return undefined
        const pending = made
        const stored = storedCall(context.sealed.calls, pending, { call, purpose, priority, expiresAt })
        row = pending
        queued = {
          stored,
          call,
          connection: station.connection,
          answered: (answer, outcome, late) => order.answered?.({ ...pending, ...answer }, outcome, late),
        }
        const put = puts(claim ? sentCall(stored, context.clock.now()) : stored)
        return context.decisions.applied(station, withRecord(decision, put), pending)
      },
      rolledBack(station) {
        if (claim) station.outgoing.giveUp(claim)
        if (row) station.outgoing.release()
        row = undefined
      },
      committed(station) {
        if (!row || !queued) return reject(new OrderRefused(refused ?? 'refused'))
        station.outgoing.add(queued)
        resolve(row)
        if (claim) sendNow(context, station, claim, queued)
        else pump(context, station)
      },
      failed(error, station) {
        if (claim) station?.outgoing.giveUp(claim)
        if (row) station?.outgoing.release()
        row = undefined
        reject(error)
        if (claim && station) pump(context, station)
      },
    })
  })
}

function pendingRow(context: CoreContext, chargePointId: string, version: OcppVersion, call: OutgoingCall): Command {
  const id = context.logIds.next(context.clock.now())
  const text = JSON.stringify(call.request)
  return {
    id,
    chargePointId,
    direction: 'out',
    method: call.method,
    messageId: logIdToUuid(id, context.logIds.salt),
    protocol: version.protocol,
    ...version.toChargePoint[call.method]?.columns(call.request),
    status: 'pending',
    request: mask(text, call.request),
  }
}

// OCPP-AU6: both passwords are valid until a change has an outcome; without an answer the next login decides
// (ocpp/admission.ts). After RebootRequired the old one stays until the new one is used.

/** Makes the new password valid beside the old. @param proof its hash; only its login ends the old one (OCPP-AU8) */
export async function beginPasswordChange(
  context: CoreContext,
  { station, version }: FoundStation,
  call: OutgoingCall,
  proof?: string,
): Promise<PasswordHashes | undefined> {
  const password = version.newPasswords(call).at(-1)?.password
  if (password === undefined) return undefined
  const fresh = proof ?? hashPassword(password, Buffer.from(context.settings.secretKey), context.random(16))
  const { passwordHash = '' } = station.chargePoint
  const old = without(passwordHash, fresh)
  const untilLogin = proof === undefined ? {} : ({ untilLogin: true } as const)
  const hashes = { fresh, old, ...untilLogin }
  await keep(context, station, both(hashes))
  return hashes
}

export function settlePasswords(
  context: CoreContext,
  station: Station,
  version: OcppVersion,
  call: OutgoingCall,
  hashes: PasswordHashes,
  outcome: CallOutcome,
): void {
  // A login with the new password came before the end of the call: the old one is invalid.
  if (hashes.old !== undefined && station.chargePoint.passwordHash === hashes.fresh) return
  keep(context, station, validAfter(version, call, hashes, outcome)).catch((error: Error) =>
    context.log.error({ chargePoint: station.id, error: error.message }, 'the valid passwords could not be stored'),
  )
}

export function abandonPassword(
  context: CoreContext,
  { station, version }: FoundStation,
  call: OutgoingCall,
  hashes: PasswordHashes,
): void {
  settlePasswords(context, station, version, call, hashes, UNSENT)
}

function validAfter(
  version: OcppVersion,
  call: OutgoingCall,
  hashes: PasswordHashes,
  outcome: CallOutcome,
): string | null {
  const { fresh, old = null, untilLogin = false } = hashes
  if (outcome.status === 'dropped' && outcome.unsent) return old
  // A login with the old password while the command waited excluded the new one: it is possible again.
  if (outcome.status === 'timeout' || outcome.status === 'dropped') return both(hashes)
  const taken = outcome.status === 'success' ? version.passwordTaken(call, object(outcome.payload)) : undefined
  if (taken === undefined) return old
  return (taken === 'now' && !untilLogin) || old === null ? fresh : `${afterReboot(fresh)} ${old}`
}

function both({ fresh, old }: PasswordHashes): string {
  return old === undefined ? fresh : `${fresh} ${old}`
}

async function keep(context: CoreContext, { id, chargePoint }: Station, passwordHash: string | null): Promise<void> {
  await context.writes.updateChargePoint(chargePoint.accountId, id, { passwordHash })
  context.stations.registrationsChanged()
}
