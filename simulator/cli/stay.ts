import type { CliContext } from '../../src/server/cli/cli-context.ts'
import { untilSignal } from '../../src/server/cli/output/signals.ts'
import { systemClock } from '../../src/server/system.ts'
import { type ChargePoint, createChargePoint } from '../charge-point.ts'
import { VEHICLES } from '../model/meter.ts'
import { createPerson, type Person } from '../model/person.ts'
import { quirksOf } from '../quirks/apply.ts'
import { stayOnline } from '../stories/stay.ts'
import { carOf, connectionOf, durationOf, idsOf, type Located, speedOf, versionsOf } from './plan.ts'

const DEFAULT_ENERGY_KWH = 7.5
const DEFAULT_SPEED = 120
/** Meter values of one charge. */
const SAMPLES = 16
/** A driver who plays on the keys takes their time between cable and card. */
const DRIVER_AT_KEYS_MS = 60_000

/** A fleet says nothing step by step: its lines would bury what matters. */
export async function stay(options: Located, context: CliContext): Promise<void> {
  const ids = idsOf(options)
  const versions = versionsOf(options, ids.length)
  const speed = speedOf(options)
  const seconds = durationOf(options)
  const durationMs = (seconds * 1000) / (speed === 'max' ? DEFAULT_SPEED : speed)
  const sampleMs = options.sample === undefined ? durationMs / SAMPLES : (options.sample * durationMs) / seconds
  const signal = untilSignal(context)
  const chargePoints = ids.map((id, position): ChargePoint => {
    const { vehicle } = carOf(options, options.seed ?? position, id)
    const protocol = `ocpp${versions[position] ?? '1.6'}` as const
    return createChargePoint({
      protocol,
      ...connectionOf(options),
      id,
      connectors: options.connectors,
      sampleIntervalMs: Math.max(1000, sampleMs),
      ...(vehicle !== undefined && VEHICLES[vehicle] && { vehicle: VEHICLES[vehicle] }),
      problem: (message) => context.note(`${id}: ${message}`),
      seed: options.seed,
      ...quirksOf(options.quirk ?? [], { protocol, id }),
    })
  })
  let quit: () => void = () => undefined
  const quitted = new Promise<void>((resolve) => {
    quit = resolve
  })
  const until = Promise.race([signal.received, quitted])
  const [only] = chargePoints
  const hasKeys = only !== undefined && chargePoints.length === 1 && context.terminal && process.stdin.isTTY
  const endKeys = hasKeys
    ? listenToKeys(process.stdin, {
        chargePoint: only,
        person: createPerson({ chargePoint: only, after: systemClock.after }),
        idToken: options.idToken,
        note: context.note,
        quit,
      })
    : () => undefined
  try {
    await Promise.all(
      chargePoints.map((chargePoint) =>
        stayOnline(chargePoint, {
          clock: systemClock,
          durationMs,
          energyWh: (options.energy ?? DEFAULT_ENERGY_KWH) * 1000,
          until,
          ...(hasKeys && { leavesAfterMs: DRIVER_AT_KEYS_MS }),
          ...(ids.length === 1 && { step: (step: string) => context.note(`${chargePoint.id}: ${step}`) }),
        }),
      ),
    )
  } finally {
    endKeys()
    signal.dispose()
    await Promise.all(chargePoints.map((chargePoint) => chargePoint.disconnect().then(() => chargePoint.powerOff())))
  }
}

interface KeyInput {
  setRawMode(raw: boolean): unknown
  resume(): unknown
  pause(): unknown
  on(event: 'data', listener: (key: Buffer) => void): unknown
  off(event: 'data', listener: (key: Buffer) => void): unknown
}

export const KEYS_LINE =
  'keys: p plug in  s swipe card  u unplug  f fault (again: cleared)  l limit of 8 A (again: lifted)  o offline (again: online)  q quit'

/** What an energy manager on site leaves for the car. */
const LIMIT_A = 8

interface KeyContext {
  readonly chargePoint: ChargePoint
  readonly person: Person
  readonly idToken: string
  readonly note: (text: string) => void
  readonly quit: () => void
}

/** @returns a function that stops listening and restores the terminal */
export function listenToKeys(input: KeyInput, parts: KeyContext): () => void {
  const { chargePoint, person, note } = parts
  const connector = () => chargePoint.snapshot().connectors[0]
  let isLimited = false
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    p: () => person.plug(1),
    s: () => person.swipe(1, { id: parts.idToken, type: 'ISO14443' }),
    u: () => chargePoint.unplug(1),
    f: () => (connector()?.fault ? chargePoint.clearFault(1) : chargePoint.fault(1, 'OtherError')),
    l() {
      isLimited = !isLimited
      return isLimited ? chargePoint.outside.set({ amps: LIMIT_A }) : chargePoint.outside.clear()
    },
    o: () => (chargePoint.snapshot().online ? chargePoint.disconnect(true) : chargePoint.connect()),
  }
  const pressed = (key: Buffer): void => {
    const name = key.toString('utf8')
    if (name === 'q' || name === '\u0003') {
      parts.quit()
      return
    }
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) {
      note(KEYS_LINE)
      return
    }
    void action().then(
      () => note(`${connector()?.status ?? ''}${chargePoint.snapshot().online ? '' : ', offline'}`),
      (error: unknown) => note(error instanceof Error ? error.message : String(error)),
    )
  }
  input.setRawMode(true)
  input.resume()
  input.on('data', pressed)
  note(KEYS_LINE)
  return () => {
    input.off('data', pressed)
    input.setRawMode(false)
    input.pause()
  }
}
