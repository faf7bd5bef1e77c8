import type { ChargePoint } from '../charge-point.ts'
import type { Person } from '../model/person.ts'

export interface KeyInput {
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

export interface KeyContext {
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
