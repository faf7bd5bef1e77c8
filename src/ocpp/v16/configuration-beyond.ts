import type { Capability } from '../../ports/capability.ts'
import { concernsConnection } from '../translate/connection-names.ts'
import type { Payload } from '../version.ts'

/** OIDC-C11: `AuthorizationKey` and its like are no configuration among others. */
export function configurationBeyond({ key }: Payload): Capability | undefined {
  return concernsConnection(String(key)) ? 'connection' : undefined
}
