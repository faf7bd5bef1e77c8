/** One whole charge of one station, as the command line runs it: with a fault or an outage in its middle. */
import type { Clock } from '../../src/domain/ports/core.ts'
import type { ChargePoint } from '../library/charge-point.ts'
import type { FaultCode } from '../model/facts.ts'
import { notAccepted } from '../model/registration.ts'
import { CallRefused, ConnectionLost } from '../wire/frames.ts'

interface ChargeOptions {
  readonly connector: number
  readonly idToken: string
  /** Simulated, from plug to unplug. */
  readonly durationSeconds: number
  /** The car stops drawing when it has this much. */
  readonly energyWh?: number
  readonly socPercent: number
  readonly fault?: FaultCode
  readonly offlineSeconds?: number
  /** How long to wait for the central system to accept the station, in real time. */
  readonly registrationMs: number
  readonly clock: Clock
  readonly step: (name: string) => void
}

/** The card may not charge there; the message is a sentence for people. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused'
  readonly idToken: string
  readonly status: string | undefined
  constructor(idToken: string, status: string | undefined) {
    const isStart = status === undefined || status === 'refused with the start'
    super(
      `the central system refused ${isStart ? `to charge with the token ${idToken}` : `the token ${idToken}: ${status}`}`,
    )
    this.idToken = idToken
    this.status = isStart ? undefined : status
  }
}

const FAULT_SECONDS = 30
const SWIPE_AFTER_SECONDS = 30
const LOOK_SECONDS = 10
const REGISTRATION_LOOK_SECONDS = 5
const REGISTRATION_PAUSE_MS = 100
const BOOT_LOOKS = 3
/** Longer than a station waits before it asks again, and than a lost connection takes to come back. */
const BOOT_LOOK_SECONDS = 11
const BOOT_PAUSE_MS = 300

/** Throws a sentence for people when the station or the card is refused. */
export async function register(cp: ChargePoint, options: Pick<ChargeOptions, 'registrationMs' | 'clock' | 'step'>) {
  options.step('booting')
  const status = await firstAnswer(cp, options.clock)
  if (status === 'Accepted') return
  options.step('waiting for approval')
  const giveUpAt = options.clock.monotonic() + options.registrationMs
  while (options.clock.monotonic() < giveUpAt) {
    await cp.wait(REGISTRATION_LOOK_SECONDS)
    await pause(options.clock, REGISTRATION_PAUSE_MS)
    if (cp.state.registered) return
  }
  throw new Error(notAccepted(cp.station.id, status))
}

/** An error is no answer yet: the station asks again by itself, some times. */
async function firstAnswer(cp: ChargePoint, clock: Clock): Promise<string> {
  try {
    return await cp.boot()
  } catch (error) {
    if (!(error instanceof CallRefused || error instanceof ConnectionLost)) throw error
    for (let look = 0; look < BOOT_LOOKS; look++) {
      await cp.wait(BOOT_LOOK_SECONDS)
      if (!cp.state.registered) await pause(clock, BOOT_PAUSE_MS)
      if (cp.state.registered) return 'Accepted'
    }
    throw error
  }
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}

export async function chargeOnce(cp: ChargePoint, options: ChargeOptions): Promise<void> {
  const { connector, step, durationSeconds } = options
  await cp.plug(connector, { soc: options.socPercent })
  step('plugged in')
  await cp.wait(Math.min(SWIPE_AFTER_SECONDS, durationSeconds * 0.04))
  const outcome = await cp.swipe(connector, options.idToken)
  if (outcome === 'refused') {
    const { refusal } = cp
    await cp.unplug(connector)
    throw new CardRefused(options.idToken, refusal)
  }
  step('charging')
  const until = cp.clock.now() + durationSeconds * 1000
  const middle = until - durationSeconds * 500
  await charging(cp, options, middle)
  if (isOpen(cp, connector)) await disturb(cp, options)
  await charging(cp, options, until)
  if (isOpen(cp, connector)) await cp.swipe(connector, options.idToken)
  step('stopped')
  await cp.wait(Math.min(SWIPE_AFTER_SECONDS, durationSeconds * 0.04))
  await cp.unplug(connector)
}

/** In short steps, because a car that has what it wants stops drawing, and the central system may stop the charge. */
async function charging(cp: ChargePoint, options: ChargeOptions, until: number): Promise<void> {
  const { connector, energyWh, step } = options
  let isSatisfied = connectorOf(cp, connector)?.status === 'SuspendedEV'
  while (isOpen(cp, connector) && cp.clock.now() < until) {
    await cp.wait(Math.min(LOOK_SECONDS, (until - cp.clock.now()) / 1000))
    if (isSatisfied || energyWh === undefined || !isOpen(cp, connector)) continue
    if (cp.charge(connector).energyKwh * 1000 < energyWh) continue
    isSatisfied = true
    await cp.suspend(connector, 'ev')
    step('suspended')
  }
}

async function disturb(cp: ChargePoint, options: ChargeOptions): Promise<void> {
  const { connector, fault, offlineSeconds, step } = options
  if (offlineSeconds !== undefined) {
    step('offline')
    await cp.offline()
    await cp.wait(offlineSeconds)
    await cp.online()
    step('charging')
  }
  if (fault !== undefined) {
    step('faulted')
    await cp.fault(connector, fault)
    await cp.wait(FAULT_SECONDS)
    await cp.clearFault(connector)
    step('charging')
  }
}

function connectorOf(cp: ChargePoint, connector: number) {
  return cp.state.connectors.find(({ connectorId }) => connectorId === connector)
}

function isOpen(cp: ChargePoint, connector: number): boolean {
  return connectorOf(cp, connector)?.transaction !== undefined
}
