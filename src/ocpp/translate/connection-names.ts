import type { Capability } from '../../domain/ports/capability.ts'
import type { Payload } from '../payload.ts'
import { isObject } from './payload.ts'

/**
 * OIDC-C11: configuration keys and variables that decide where a charge point connects and how it authenticates:
 * the standard's (AuthorizationKey, SecurityProfile, BasicAuthPassword, Identity, NetworkConfigurationPriority, …), and
 * vendors' own. A false positive denies an application a setting; with a false negative an
 * application could take over the station.
 */
const CONNECTION_NAME =
  /authori[sz]ationkey|basicauth|passw|pwd|passphrase|secret|credential|privatekey|presharedkey|psk|securityprofile|identity|chargeboxid|chargepointid|stationid|network|apn|vpn|wifi|ssid|ethernet|gateway|proxy|dns|host|server|url|uri|endpoint|addr|backend|csms|centralsystem/

export function concernsConnection(name: string): boolean {
  return CONNECTION_NAME.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

/** OIDC-C11: a profile that outlives its transaction would limit the charge point or other drivers. */
export function startBeyond({ chargingProfile: profile }: Payload): Capability | undefined {
  if (profile === undefined) return undefined
  const isOwn =
    isObject(profile) && profile.chargingProfilePurpose === 'TxProfile' && profile.transactionId === undefined
  return isOwn ? undefined : 'limits'
}
