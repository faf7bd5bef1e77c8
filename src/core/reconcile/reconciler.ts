/** Carries out what is due of subjects (subject.ts): one order at a time, retried after a fault. */
import { periodically } from '../../domain/periodic.ts'
import type { Clock } from '../../domain/ports/core.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { isUnderWay, whenCommitted } from './decide-now.ts'
import { createPacedTurns, type PacedTurns } from './paced-turns.ts'
import { type Subject, settleStored, type Task } from './subject.ts'

const RETRY_MS = 60_000

export function createReconciler(
  context: () => CoreContext,
  subjects: readonly Subject[],
  clock: Pick<Clock, 'now' | 'after'>,
): CoreContext['desired']['reconciler'] {
  /** What is being ordered; true: it was due once more meanwhile. */
  const busy = new Map<string, boolean>()
  const turns = new Map<Subject, PacedTurns<string>>()
  for (const subject of subjects) if (subject.pace) turns.set(subject, createPacedTurns(clock, subject.pace))
  /** For paced subjects: ends the turn of a charge point whose call is open. */
  const openTurns = new Map<string, () => void>()
  const named = ({ id }: Station, { name }: Subject, key = ''): string => `${id}\0${name}\0${key}`

  const wake = (station: Station, of = subjects): void => {
    if (station.isHeld) return
    if (station.state) for (const subject of of) look(station, subject)
    else void wakeLoaded(station)
  }

  /** A failed commit drops the state; behind the queue's next job it is loaded again. */
  const wakeLoaded = async ({ id }: Station): Promise<void> => {
    await whenCommitted(context(), id)
    const station = context().stations.known(id)
    if (station?.state) wake(station)
    else if (station) wakeAt(station, clock.now() + RETRY_MS)
  }

  const wakeAt = (station: Station, at: number): void =>
    station.wake.setEarlier(clock, at, () => {
      if (context().stations.known(station.id) === station) wake(station)
    })

  const look = (station: Station, subject: Subject): void => {
    const now = clock.now()
    const again = subject.dueAgainAt?.(station, now, context().settings)
    if (again !== undefined) wakeAt(station, again)
    for (const task of subject.due(station, now, context().settings)) {
      const inTurn = turns.get(subject)
      if (!inTurn) void carryOut(station, subject, task)
      else
        inTurn.ask(
          station.chargePoint.accountId,
          named(station, subject),
          (over) => void takeTurn(station, subject, over),
        )
    }
  }

  const takeTurn = async (station: Station, subject: Subject, over: () => void): Promise<void> => {
    const [task] = station.state ? subject.due(station, clock.now(), context().settings) : []
    if (task) await carryOut(station, subject, task)
    if (task && isUnderWay(station, ...subject.purposes)) openTurns.set(named(station, subject), over)
    else over()
  }

  const carryOut = async (station: Station, subject: Subject, task: Task): Promise<void> => {
    const key = named(station, subject, task.key)
    if (busy.has(key)) {
      busy.set(key, true)
      return
    }
    busy.set(key, false)
    try {
      await subject.order(context(), station, task)
    } catch (error) {
      const fields = { chargePoint: station.id, subject: subject.name, error: (error as Error).message }
      context().log.warn(fields, 'desired state of a charge point could not be ordered')
      const now = clock.now()
      wakeAt(station, subject.dueAgainAt?.(station, now, context().settings) ?? now + RETRY_MS)
    }
    const isDueAgain = busy.get(key)
    busy.delete(key)
    const current = context().stations.known(station.id)
    if (isDueAgain && current) wake(current, [subject])
  }

  const sweeps = subjects.flatMap(({ name, overdue = [] }) =>
    overdue.map(({ everyMs, stored }) =>
      periodically({
        clock,
        everyMs,
        work: () => settleStored(context(), stored),
        failed: ({ message: error }) =>
          context().log.error({ subject: name, error }, 'overdue work could not be checked'),
      }),
    ),
  )

  return {
    wake: (station, changed) => wake(station, changed && subjects.filter(({ records }) => records.includes(changed))),
    answered(station, purpose) {
      const concerned = subjects.filter(({ purposes }) => purposes.includes(purpose))
      for (const subject of concerned) {
        const name = named(station, subject)
        openTurns.get(name)?.()
        openTurns.delete(name)
      }
      if (concerned.length > 0) wake(station, concerned)
    },
    reconnected: (station) =>
      subjects.filter((subject) => subject.reconnected?.(station, clock.now()) === true).length > 0,
    async resume(goesOn) {
      for (const { interrupted } of subjects) if (interrupted) await settleStored(context(), interrupted, goesOn)
      for (const { unfinished } of subjects) if (unfinished) await settleStored(context(), unfinished)
    },
    stop() {
      for (const sweep of sweeps) void sweep.stop()
    },
  }
}
