import { type CliContext, UsageError } from '../../src/server/cli/cli-context.ts'
import { untilSignal } from '../../src/server/cli/output/signals.ts'
import { systemClock } from '../../src/server/system.ts'
import { ChargePoint } from '../library/charge-point.ts'
import { openWindow, type Window } from '../ui/window.ts'
import { carOf, carsOf, DEFAULT_ID, type Located, plateOf, seedOf } from './plan.ts'

const DEFAULT_PORT = 8090
const DEFAULT_SPEED = 60

export async function showWindow(options: Located, context: CliContext): Promise<void> {
  if (options.speed === 'max') throw new UsageError('--ui is watched by people: give --speed as a factor, e.g. 60x.')
  const signal = untilSignal(context)
  let window: Window | undefined
  const seed = seedOf(options, context)
  const id = options.id ?? DEFAULT_ID
  const { vehicle, soc } = carOf(carsOf(options), seed, id)
  const cp = await ChargePoint.connect({
    url: options.url.href,
    id,
    ocpp: options.ocpp ?? '1.6',
    speed: options.speed ?? DEFAULT_SPEED,
    seed,
    quirks: options.quirk ?? [],
    personTime: systemClock,
    plate: plateOf(options),
    vehicle,
    sampleSeconds: options.sample,
    voltage: options.voltage,
    frame: (direction, frame) => window?.seen(direction, frame),
    problem: (message) => context.note(message),
    password: options.password,
  })
  try {
    const port = typeof options.ui === 'number' ? options.ui : DEFAULT_PORT
    window = await openWindow({ cp, idToken: options.idToken, soc, port }).catch((error: unknown) => {
      const { code, message } = error as NodeJS.ErrnoException
      const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code ?? message})`
      throw new Error(`port ${port} ${why}: name another one with --ui PORT; --ui 0 takes any free one`)
    })
    await cp.boot()
    context.out(window.url)
    context.note('Ctrl-C ends it.')
    await signal.received
  } finally {
    signal.dispose()
    await window?.close()
    await cp.close()
  }
}
