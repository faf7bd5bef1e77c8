/** Which settings of a charge point may serve as its limit (CHARGING-S5). */
import { namesSecret } from '../domain/device-model/variable-names.ts'
import { concernsConnection } from './translate/payload.ts'
import STANDARD_KEYS from './v16/standard-keys.json' with { type: 'json' }

const STANDARD = new Set(STANDARD_KEYS.map((key) => key.toLowerCase()))
/** Of the standard's controllers, such as OCPPCommCtrlr, only one is about limits. */
const CORE_COMPONENT = /^(?!smartcharging).*ctrlr$/

/** A vendor's own key: no secret, no address, and no setting that OCPP itself defines. */
export function mayHoldLimit(key: string): boolean {
  const parts = key
    .toLowerCase()
    .split('.')
    .map((part) => part.trim())
  return (
    !concernsConnection(key) &&
    !namesSecret(key) &&
    !parts.some((part) => STANDARD.has(part) || CORE_COMPONENT.test(part))
  )
}
