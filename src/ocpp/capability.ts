/**
 * What it takes to send a command (OIDC-C11). Every command of every version declares one; a scope of an access token covers
 * some, and an API credential has them all.
 */

/** Capabilities that a scope may cover. */
export type SharedCapability =
  /** Start, stop, unlock, take out of service and back. */
  'control' | 'reservations' | 'limits' | 'messages' | 'configuration' | 'firmware' | 'certificates'

/** Of the account alone, whatever scopes there will be: what the vendor makes of it, people's data, things of our own. */
type OwnCapability = 'account'

/** How a charge point reaches us and proves who it is: who may set that, may take its place. */
type ConnectionCapability = 'connection'

export type Capability = SharedCapability | OwnCapability | ConnectionCapability
