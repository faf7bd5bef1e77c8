/**
 * Gives charge points the passwords of rotations, one command at a time, until each has logged in with its own
 * (OCPP-AU8). How far a change is stands in its record, so whoever starts again goes on with it.
 */

import type { PasswordHashes } from '../../domain/outgoing-calls/records.ts'
import type { PasswordAnswer, PasswordChange } from '../../domain/password-rotations/records.ts'
import { mustLogIn } from '../../domain/password-rotations/rules.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { object } from '../../ocpp/translate/payload.ts'
import { openPassword } from '../../secrets/sealed-password.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { OrderRefused } from '../operations/core-refusals.ts'
import { findStation } from '../operations/find-station.ts'
import type { CallOutcome } from '../outbound/call-outcome.ts'
import { orderCall } from '../outbound/order-call.ts'
import { abandonPassword, beginPasswordChange } from '../outbound/password-change.ts'
import type { CallFor } from '../outbound/purpose-rule.ts'
import { decideNow } from './decide-now.ts'
import { isReachable, isUnderWay } from './may-send.ts'

const SWEEP_MS = 60_000
const PAGE = 100
/** It is sent on this connection or not at all; so long it may stand behind other calls. */
const TTL_MS = 3600_000

export interface PasswordChanges {
  /** The password of this charge point may be next. */
  reconcile(station: Station): void
  stop(): void
}

export function createPasswordChanges(context: CoreContext, store: Pick<CoreStore, 'listRecords'>): PasswordChanges {
  const { clock, log, stations } = context
  const busy = new WeakSet<Station>()
  let cancel = clock.after(SWEEP_MS, sweep)

  function sweep(): void {
    lookAtDue()
      .catch((error: Error) => log.error({ error: error.message }, 'password changes could not be looked at'))
      .finally(() => {
        cancel = clock.after(SWEEP_MS, sweep)
      })
  }

  async function lookAtDue(): Promise<void> {
    let after: Pick<PasswordChange, 'chargePointId' | 'rotationId'> | undefined
    for (;;) {
      const where = { dueAt: { below: clock.now() + 1 } }
      const page: readonly PasswordChange[] = await store.listRecords('password_changes', {
        where,
        limit: PAGE,
        ...(after && { after }),
      })
      for (const change of page) await lookAt(change)
      after = page.at(-1)
      if (page.length < PAGE) return
    }
  }

  async function lookAt(change: PasswordChange): Promise<void> {
    const { chargePointId } = change
    const station = stations.current(chargePointId) ?? (await stations.load(chargePointId, 'unowned'))
    // Another node has it, and looks at its changes.
    if (!station?.state || station.isElsewhere) return
    if (station.connection !== undefined && mustLogIn(station.state, change, clock.now())) {
      context.sockets.close(station.connection, 1000, 'password changed')
    }
    await decideNow(context, chargePointId, { kind: 'passwordsDue' })
  }

  const send = async (station: Station, change: PasswordChange): Promise<void> => {
    const { rotationId, password, hash } = change
    const clear = password === undefined ? undefined : openPassword(context.settings.secretKey, change, password)
    if (clear === undefined) {
      const reason = 'its new password was sealed under another secret key'
      await decideNow(context, station.id, { kind: 'passwordAnswered', rotationId, answer: 'rejected', reason })
      return
    }
    const found = await findStation(context, station.chargePoint.accountId, station.id)
    if ('refused' in found) return
    const call = found.version.setPassword(clear)
    const hashes = await beginPasswordChange(context, found, call, hash)
    if (!hashes) return
    await orderCall(context, {
      stationId: station.id,
      call,
      purpose: { kind: 'password', rotationId, password: hashes },
      input: { kind: 'passwordCallOrdered', rotationId },
      expiresAt: clock.now() + TTL_MS,
    }).catch((error: Error) => {
      abandonPassword(context, found, call, hashes)
      // Somebody cancelled it meanwhile.
      if (!(error instanceof OrderRefused)) throw error
    })
  }

  return {
    reconcile(station) {
      const change = station.state?.records.all('password_changes').find(({ state }) => state === 'pending')
      if (!change || busy.has(station) || !isReachable(station) || isUnderWay(station, 'password')) return
      busy.add(station)
      send(station, change)
        .catch((error: Error) =>
          log.warn({ chargePoint: station.id, error: error.message }, 'a new password could not be sent'),
        )
        .finally(() => busy.delete(station))
    },
    stop: () => cancel(),
  }
}

interface PasswordPurpose {
  readonly kind: 'password'
  readonly rotationId: string
  readonly password: PasswordHashes
}

/** Somebody cancelled it, or a login was faster. */
export function isPasswordOver({ station, purpose: { rotationId } }: CallFor<PasswordPurpose>): boolean {
  const { id: chargePointId, state } = station
  return state !== undefined && state.records.find('password_changes', { chargePointId, rotationId })?.state !== 'sent'
}

/** What the answer to the command means for the change. */
export function passwordInput({ call, version, purpose }: CallFor<PasswordPurpose>, outcome: CallOutcome): Input {
  const { rotationId } = purpose
  const answered = (answer: PasswordAnswer, reason?: string): Input => ({
    kind: 'passwordAnswered',
    rotationId,
    answer,
    ...(reason !== undefined && { reason: `the charge point answered ${reason.slice(0, 100)}` }),
  })
  if (outcome.status === 'error') return answered('rejected', outcome.code)
  if (outcome.status === 'dropped' && outcome.unsent) return answered('unsent')
  if (outcome.status !== 'success') return answered('unknown')
  const response = object(outcome.payload)
  const taken = version.passwordTaken(call, response)
  if (taken !== undefined) return answered(taken === 'now' ? 'accepted' : 'later')
  return answered('rejected', version.passwordStatus(call, response) ?? 'nothing about the password')
}
