import type { Capability } from '../../ports/capability.ts'
import { concernsConnection } from '../translate/connection-names.ts'
import { isObject, list, object } from '../translate/payload.ts'
import type { Payload } from '../version.ts'

/**
 * OIDC-C11: one variable of the connection among many others decides; components are named too
 * (`NetworkConfiguration`).
 */
export function variablesBeyond({ setVariableData }: Payload): Capability | undefined {
  const names = list(setVariableData)
    .filter(isObject)
    .flatMap(({ component, variable }) => [object(component).name, object(variable).name])
  return names.some((name) => concernsConnection(String(name))) ? 'connection' : undefined
}
