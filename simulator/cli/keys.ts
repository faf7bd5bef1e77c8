/** Keys for one station on a terminal: what a person on site would do. */
import type { ChargePoint } from '../library/charge-point.ts'

export const KEYS_LINE =
  'keys: p plug in  s swipe card  u unplug  f fault (again: cleared)  o offline (again: online)  q quit'

export interface KeyParts {
  readonly cp: ChargePoint
  readonly idToken: string
  readonly note: (text: string) => void
  readonly quit: () => void
}

/** @returns what ends it and gives the terminal back */
export function listenToKeys(input: NodeJS.ReadStream, parts: KeyParts): () => void {
  const { cp, note } = parts
  const connector = () => cp.state.connectors[0]
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    p: () => cp.plug(1),
    s: () => cp.swipe(1, parts.idToken),
    u: () => cp.unplug(1),
    f: () => (connector()?.fault ? cp.clearFault(1) : cp.fault(1, 'OtherError')),
    o: () => (cp.state.online ? cp.offline() : cp.online()),
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
      () => note(`${connector()?.status ?? ''}${cp.state.online ? '' : ', offline'}`),
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
